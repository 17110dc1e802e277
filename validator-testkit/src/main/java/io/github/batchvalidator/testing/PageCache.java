// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Fills the page cache with files, drops them from it, or says what it has of them. */
public final class PageCache {
  private PageCache() {}

  /** Reads files, so that a later reader waits for no disk. */
  public static void warm(List<Path> files) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    for (Path each : files) {
      try (FileChannel channel = FileChannel.open(each)) {
        while (channel.read(buffer.clear()) >= 0) {
          // only to have read it
        }
      }
    }
  }

  /**
   * Drops files from the page cache, and nothing of other programs. Needs {@code dd} of GNU
   * coreutils.
   */
  public static void drop(List<Path> files) throws IOException, InterruptedException {
    for (Path each : files) {
      run(List.of("dd", "of=" + each, "oflag=nocache", "conv=notrunc,fdatasync", "count=0"));
    }
  }

  /** Returns the number of bytes of files in the page cache. Needs util-linux. */
  public static long residentBytes(List<Path> files) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("fincore", "-b", "-n", "-o", "RES"));
    files.forEach(each -> command.add(each.toString()));
    return run(command).lines().mapToLong(line -> Long.parseLong(line.trim())).sum();
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(output);
    }
    return output;
  }
}
