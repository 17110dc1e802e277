// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Whether every sound batch of a crashed partition is still there after recovery, or was kept. */
final class Kept {
  private static final String PREFIX = "batchvalidator-kept-";

  private Kept() {}

  /** Returns the first sound batch that is nowhere, or an empty text. */
  static String lost(Path before, Path after) throws IOException {
    List<String> remaining = new ArrayList<>();
    for (Path each : logs(after)) {
      remaining.add(text(Files.readAllBytes(each)));
    }
    for (Path each : kept(after)) {
      if (each.toString().endsWith(".log")) {
        remaining.add(text(Files.readAllBytes(each)));
      }
    }
    for (Path each : logs(before)) {
      byte[] bytes = Files.readAllBytes(each);
      Path recovered = after.resolve(each.getFileName());
      byte[] same = Files.exists(recovered) ? Files.readAllBytes(recovered) : new byte[0];
      int at = 0;
      while (at + StoredBatch.HEADER_BYTES <= bytes.length) {
        int size = soundAt(bytes, at);
        if (size > 0 && !isAt(at, size, bytes, same)) { // where nearly all are
          String batch = text(Arrays.copyOfRange(bytes, at, at + size));
          if (remaining.stream().noneMatch(file -> file.contains(batch))) {
            return "nowhere: the batch at " + at + " of " + each.getFileName();
          }
        }
        at += Math.max(1, size);
      }
    }
    return "";
  }

  private static boolean isAt(int at, int size, byte[] before, byte[] after) {
    return at + size <= after.length && Arrays.equals(before, at, at + size, after, at, at + size);
  }

  private static int soundAt(byte[] bytes, int at) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int length = buffer.getInt(at + 8);
    int end = at + 12 + length;
    if (bytes[at + 16] != 2 || length < 49 || length > bytes.length - at - 12) {
      return -1;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, at + 21, end - at - 21);
    return (int) crc.getValue() == buffer.getInt(at + 17) ? end - at : -1;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(each -> each.toString().endsWith(".log")).sorted().toList();
    }
  }

  private static List<Path> kept(Path partition) throws IOException {
    Path root = Objects.requireNonNull(partition.getParent());
    try (Stream<Path> all = Files.list(root)) {
      return all.filter(each -> each.getFileName().toString().startsWith(PREFIX)).toList();
    }
  }

  /** Deletes what was kept of a partition. */
  static void delete(Path partition) throws IOException {
    for (Path each : kept(partition)) {
      Files.delete(each);
    }
  }
}
