// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec.gzip;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipHeaderTest {
  private static final byte[] BEFORE = Bytes.filled(6, 0x1f);
  private static final byte[] BEHIND = Bytes.filled(3, 0x8b);

  private final GzipHeader header = new GzipHeader();

  private int skip(byte[] stored, int from) {
    return header.skip(new Payload().wrap(ByteBuffer.wrap(stored), 0, stored.length), from);
  }

  /** Every combination of the fields, in the middle of other bytes and cut at every position. */
  @Test
  void skipsEveryCombinationOfFields() {
    for (int flags = 0; flags < 256; flags++) {
      byte[] bytes = header(flags);
      byte[] stored = Bytes.concat(BEFORE, bytes, BEHIND);
      int end = BEFORE.length + bytes.length;
      assertEquals(end, skip(stored, BEFORE.length));
      for (int length = BEFORE.length; length < end; length++) {
        assertEquals(-1, skip(Bytes.cut(stored, length), BEFORE.length));
      }
      assertEquals(end, skip(Bytes.cut(stored, end), BEFORE.length));
    }
  }

  private static byte[] header(int flags) {
    byte[] bytes = GzipStreams.header(flags);
    if ((flags & GzipStreams.EXTRA) != 0) {
      bytes = Bytes.concat(bytes, GzipStreams.extra(300));
    }
    if ((flags & GzipStreams.NAME) != 0) {
      bytes = Bytes.concat(bytes, GzipStreams.text("some name"));
    }
    if ((flags & GzipStreams.COMMENT) != 0) {
      bytes = Bytes.concat(bytes, GzipStreams.text(""));
    }
    return (flags & GzipStreams.HEADER_CRC) != 0 ? GzipStreams.checked(bytes) : bytes;
  }

  /** The sum of both would be negative. */
  @Test
  void anExtraFieldMayReachBeyondWhatAnIntCounts(@TempDir Path folder) throws IOException {
    byte[] bytes =
        Bytes.concat(
            GzipStreams.header(GzipStreams.EXTRA | GzipStreams.NAME), Bytes.of(0xff, 0xff));
    int from = Integer.MAX_VALUE - 100;
    Path sparse = folder.resolve("sparse");
    try (FileChannel file =
        FileChannel.open(sparse, CREATE_NEW, READ, WRITE, StandardOpenOption.SPARSE)) {
      file.write(ByteBuffer.wrap(bytes), from);
      ByteBuffer all = file.map(FileChannel.MapMode.READ_WRITE, 0, Integer.MAX_VALUE);
      assertEquals(-1, header.skip(new Payload().wrap(all, 0, Integer.MAX_VALUE), from));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void refusesAWrongMagicOrMethod(int at) {
    assertEquals(-1, skip(Bytes.damaged(GzipStreams.header(0), at), 0));
  }

  @Test
  void verifiesTheHeaderChecksumOverEveryByte() {
    byte[] good = header(GzipStreams.HEADER_CRC | GzipStreams.NAME);
    assertEquals(good.length, skip(good, 0));
    for (int at = 4; at < good.length; at++) {
      assertEquals(-1, skip(Bytes.damaged(good, at), 0));
    }
  }
}
