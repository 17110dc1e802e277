// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.live;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Fills the page cache with files, or drops them from it. */
final class PageCache {
  private PageCache() {}

  /** Reads files, so that a later reader waits for no disk. */
  static void warm(List<Path> files) throws IOException {
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
  static void drop(List<Path> files) throws IOException, InterruptedException {
    for (Path each : files) {
      Process process =
          new ProcessBuilder(
                  "dd", "of=" + each, "oflag=nocache", "conv=notrunc,fdatasync", "count=0")
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(output);
      }
    }
  }
}
