// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChecksumsTest {
  private static final int BYTES = 40_000;
  private static final int POSITION = 11;
  private static final int MARK = 4;

  private final Checksums checksums = new Checksums();

  static List<ByteBuffer> buffers() {
    byte[] bytes = new byte[BYTES];
    new Random(1).nextBytes(bytes);
    ByteBuffer direct = ByteBuffer.allocateDirect(BYTES).put(0, bytes);
    ByteBuffer shifted = ByteBuffer.allocate(BYTES + 9).position(9).slice().put(0, bytes);
    return List.of(
        ByteBuffer.wrap(bytes),
        shifted,
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN),
        ByteBuffer.wrap(bytes).asReadOnlyBuffer(),
        shifted.asReadOnlyBuffer(),
        direct,
        direct.duplicate().order(ByteOrder.LITTLE_ENDIAN),
        direct.asReadOnlyBuffer());
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void sameAsTheJdks(ByteBuffer buffer) {
    buffer.position(MARK).mark().position(POSITION);
    int[] lengths = {0, 1, 7, 61, 8191, 8192, 8193, 16_384, 24_577, BYTES - 21};
    for (int length : lengths) {
      for (int from : new int[] {0, 1, 21}) {
        assertEquals(jdk(buffer, from, length), checksums.crc32c(buffer, from, length));
      }
    }
    assertEquals(POSITION, buffer.position());
    assertEquals(BYTES, buffer.limit());
    assertEquals(MARK, buffer.reset().position());
  }

  /** A sparse file, mapped: its last piece ends where numbers do. */
  @Test
  void toTheEndOfTheLargestBuffer(@TempDir Path folder) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("sparse"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.SPARSE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {1}), Integer.MAX_VALUE - 1L);
      ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, Integer.MAX_VALUE);
      int from = Integer.MAX_VALUE - 10_000;
      assertEquals(jdk(mapped, from, 10_000), checksums.crc32c(mapped, from, 10_000));
    }
  }

  private static int jdk(ByteBuffer buffer, int from, int length) {
    byte[] bytes = new byte[length];
    buffer.get(from, bytes);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
