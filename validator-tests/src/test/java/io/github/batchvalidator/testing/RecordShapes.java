// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** Shapes of records that compress in different ways. */
public enum RecordShapes {
  JSON_1_KIB {
    @Override
    SimpleRecord record(Random random, int index) {
      return make(index, null, json(random, 1024));
    }
  },
  LOG_LINES {
    @Override
    SimpleRecord record(Random random, int index) {
      return make(index, null, logLines(random, 200 + random.nextInt(1000)));
    }
  },
  KEY_AND_HEADERS {
    @Override
    SimpleRecord record(Random random, int index) {
      return make(
          index,
          bytes(random, 16),
          json(random, 1024),
          new RecordHeader("traceparent", bytes(random, 55)),
          new RecordHeader("b3", bytes(random, 1)));
    }
  },
  /** More header bytes than a sparse window serves at a time, and a key with a long size. */
  LARGE_HEADERS {
    @Override
    SimpleRecord record(Random random, int index) {
      Header[] headers = new Header[1 + random.nextInt(5)];
      for (int i = 0; i < headers.length; i++) {
        headers[i] = new RecordHeader("header" + i, json(random, random.nextInt(300)));
      }
      return make(index, json(random, random.nextInt(200)), json(random, 2000), headers);
    }
  },
  SMALL {
    @Override
    SimpleRecord record(Random random, int index) {
      return make(index, null, json(random, 100));
    }
  },
  INCOMPRESSIBLE {
    @Override
    SimpleRecord record(Random random, int index) {
      return make(index, null, bytes(random, 700));
    }
  },
  /** The same byte over and over: copies of copies. */
  RUNS {
    @Override
    SimpleRecord record(Random random, int index) {
      byte[] value = new byte[1 + random.nextInt(3000)];
      Arrays.fill(value, (byte) random.nextInt(3));
      return make(index, null, value);
    }
  },
  /** Values of several groups of blocks. */
  LARGE {
    @Override
    SimpleRecord record(Random random, int index) {
      boolean isLarge = random.nextInt(20) == 0;
      return make(index, null, json(random, random.nextInt(isLarge ? 400_000 : 40_000)));
    }
  },
  /** Null and empty keys and values, and long deltas. */
  ODD {
    @Override
    SimpleRecord record(Random random, int index) {
      byte[] key = random.nextBoolean() ? null : new byte[random.nextInt(3)];
      byte[] value = random.nextInt(3) == 0 ? null : json(random, random.nextInt(900));
      return make(index * random.nextInt(1 << 20), key, value);
    }
  };

  /** Returns records as they are in an uncompressed batch. */
  public byte[] plain(Random random, int count) {
    return Batches.plainRecords(records(random, count));
  }

  /** Returns records. */
  public SimpleRecord[] records(Random random, int count) {
    SimpleRecord[] all = new SimpleRecord[count];
    for (int i = 0; i < count; i++) {
      all[i] = record(random, i);
    }
    return all;
  }

  abstract SimpleRecord record(Random random, int index);

  private static SimpleRecord make(
      int delay, byte @Nullable [] key, byte @Nullable [] value, Header... headers) {
    return new SimpleRecord(Batches.nowMs() + delay, key, value, headers);
  }

  private static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] json(Random random, int count) {
    StringBuilder text = new StringBuilder();
    while (text.length() < count) {
      text.append("{\"id\":").append(random.nextLong());
      text.append(",\"kind\":\"").append("created", 0, random.nextInt(8));
      text.append("\",\"amount\":").append(random.nextInt(100_000)).append("}");
    }
    return ascii(text, count);
  }

  private static byte[] logLines(Random random, int count) {
    StringBuilder text = new StringBuilder();
    while (text.length() < count) {
      text.append("2026-11-25T17:00:").append(random.nextInt(60)).append(" INFO request ");
      text.append(random.nextInt(1_000_000)).append(" took ").append(random.nextInt(900));
      text.append(" ms\n");
    }
    return ascii(text, count);
  }

  private static byte[] ascii(StringBuilder text, int count) {
    return text.substring(0, count).getBytes(StandardCharsets.US_ASCII);
  }
}
