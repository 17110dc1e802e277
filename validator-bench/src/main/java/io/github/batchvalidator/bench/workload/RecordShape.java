// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.util.SplittableRandom;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** What a record has beside its value. */
public enum RecordShape {
  /** Nothing: no key, no headers. */
  PLAIN {
    @Override
    SimpleRecord record(long timeMs, byte[] value, SplittableRandom random) {
      return new SimpleRecord(timeMs, value);
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
  };

  abstract SimpleRecord record(long timeMs, byte[] value, SplittableRandom random);

  private static byte[] bytes(SplittableRandom random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
