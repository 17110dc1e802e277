// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** The parts of a record beside its value. */
public enum RecordShape {
  /** Nothing: no key, no headers. */
  PLAIN {
    @Override
    SimpleRecord record(long timeMs, byte[] value, SplittableRandom random) {
      return new SimpleRecord(timeMs, value);
    }
  },

  /** A key of 16 bytes, no headers. */
  KEY {
    @Override
    SimpleRecord record(long timeMs, byte[] value, SplittableRandom random) {
      return new SimpleRecord(timeMs, bytes(random, 16), value);
    }
  },

  /** A key of 16 bytes and two headers, as tracing adds them: 55 and 1 bytes of value. */
  KEY_AND_TWO_HEADERS {
    @Override
    SimpleRecord record(long timeMs, byte[] value, SplittableRandom random) {
      Header[] headers = {
        new RecordHeader("traceparent", bytes(random, 55)), new RecordHeader("b3", bytes(random, 1))
      };
      return new SimpleRecord(timeMs, bytes(random, 16), value, headers);
    }
  },

  /** A key of 16 bytes, a header of tracing and one with a schema GUID. */
  KEY_AND_SCHEMA_ID {
    @Override
    SimpleRecord record(long timeMs, byte[] value, SplittableRandom random) {
      ByteBuffer schema = ByteBuffer.allocate(1 + 2 * Long.BYTES).put((byte) 1);
      schema.putLong(SCHEMA.getMostSignificantBits()).putLong(SCHEMA.getLeastSignificantBits());
      Header[] headers = {
        new RecordHeader("traceparent", bytes(random, 55)),
        new RecordHeader("__value_schema_id", schema.array())
      };
      return new SimpleRecord(timeMs, bytes(random, 16), value, headers);
    }
  };

  /** The GUID in the records of {@link #KEY_AND_SCHEMA_ID}. */
  public static final UUID SCHEMA = new UUID(0x8a5b_1c0d_1111_4222L, 0x8333_4444_5555_6666L);

  abstract SimpleRecord record(long timeMs, byte[] value, SplittableRandom random);

  private static byte[] bytes(SplittableRandom random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
