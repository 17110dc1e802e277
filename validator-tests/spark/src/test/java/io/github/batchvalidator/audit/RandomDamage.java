// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.testing.LegacyMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Copies of a partition with damage at random positions of its largest segment. */
final class RandomDamage {
  private static final int COPIES = 48;
  private static final int MOST_BYTES = 900;

  private RandomDamage() {}

  /** Writes damaged copies, and partitions with magic 1, from a fixed seed. */
  static void write(Path sample, Path target) throws IOException {
    Random random = new Random(38);
    for (int i = 0; i < COPIES; i++) {
      Path copy = Files.createDirectories(target.resolve("copy" + i)).resolve("orders-3");
      StoredLog.copy(sample, copy);
      Path segment = new StoredLog(copy).file(0, ".log");
      Files.write(segment, damaged(Files.readAllBytes(segment), i, random));
    }
    Path legacy = Files.createDirectories(target.resolve("legacy-0"));
    byte[] messages = LegacyMessage.join(LegacyMessage.several(1, 60));
    Files.write(legacy.resolve("00000000000000000000.log"), messages);
    messages[messages.length / 2] ^= 1;
    Files.write(legacy.resolve("00000000000000001000.log"), messages);
  }

  private static byte[] damaged(byte[] log, int kind, Random random) {
    int from = random.nextInt(log.length - MOST_BYTES);
    int to = from + 1 + random.nextInt(MOST_BYTES);
    return switch (kind % 6) {
      case 0 -> filled(log, from, to, random);
      case 1 -> zeroed(log, from, to);
      case 2 -> joined(Arrays.copyOf(log, from), Arrays.copyOfRange(log, to, log.length));
      case 3 -> joined(Arrays.copyOf(log, to), Arrays.copyOfRange(log, from, log.length));
      case 4 -> flipped(log, from);
      default -> joined(Arrays.copyOf(log, to), new byte[MOST_BYTES]);
    };
  }

  private static byte[] filled(byte[] log, int from, int to, Random random) {
    byte[] bytes = new byte[to - from];
    random.nextBytes(bytes);
    System.arraycopy(bytes, 0, log, from, bytes.length);
    return log;
  }

  private static byte[] zeroed(byte[] log, int from, int to) {
    Arrays.fill(log, from, to, (byte) 0);
    return log;
  }

  private static byte[] flipped(byte[] log, int at) {
    log[at] ^= 0x10;
    return log;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
