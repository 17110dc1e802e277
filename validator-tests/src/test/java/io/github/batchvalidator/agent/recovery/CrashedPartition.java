// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A partition as a broker finds it after a crash, drawn from a seed. About half of them have only
 * sound segments.
 */
final class CrashedPartition {
  /** The directory of a partition, as a log directory has it. */
  static final String NAME = "t-0";

  private final SplittableRandom random;
  private final SortedMap<Long, byte[]> segments;
  final long seed;
  final boolean hadCleanShutdown;
  final long recoveryPoint;
  final long logStart;
  final int indexInterval;
  final int indexBytes;

  CrashedPartition(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
    segments = PartitionDraw.draw(random.split());
    hadCleanShutdown = random.nextInt(5) == 0;
    recoveryPoint = point(0);
    logStart = random.nextInt(8) == 0 ? point(1) : segments.firstKey();
    indexInterval = random.nextInt(3) == 0 ? random.nextInt(300) : 4096;
    indexBytes = random.nextInt(10) == 0 ? 64 : 16384;
  }

  private long point(int beyond) {
    List<Long> bases = new ArrayList<>(segments.keySet());
    long base = bases.get(random.nextInt(bases.size()));
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> base;
      case 2 -> base + random.nextInt(30);
      default -> random.nextInt(6) == 0 ? segments.lastKey() + beyond * 100_000L : base;
    };
  }

  /** Writes what the crash leaves. */
  void write(Path partition, KafkaSide stock) throws Exception {
    writeSound(partition);
    if (isWrittenByStock()) {
      stock.load(partition, this, hadCleanShutdown);
    }
    crash(partition);
  }

  /** Writes the segments. */
  void writeSound(Path partition) throws IOException {
    Files.createDirectories(partition);
    for (Map.Entry<Long, byte[]> each : segments.entrySet()) {
      Files.write(partition.resolve(name(each.getKey(), ".log")), each.getValue());
    }
  }

  /** Returns whether to let stock Kafka write indexes and snapshots before the crash. */
  private boolean isWrittenByStock() {
    return random.nextInt(2) == 0;
  }

  /** Damages what is there. */
  private void crash(Path partition) throws IOException {
    int faults = random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(2);
    for (int i = 0; i < faults; i++) {
      damageLog(partition);
    }
    int others = random.nextInt(2) == 0 ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < others; i++) {
      damageOther(partition);
    }
  }

  private void damageLog(Path partition) throws IOException {
    List<Path> logs = files(partition, ".log");
    boolean last = random.nextInt(3) != 0;
    Path log = logs.get(last ? logs.size() - 1 : random.nextInt(logs.size()));
    byte[] bytes = Files.readAllBytes(log);
    int size = bytes.length;
    int at = size == 0 ? 0 : random.nextInt(size);
    switch (random.nextInt(8)) {
      case 0, 1 -> bytes = Arrays.copyOf(bytes, Math.max(0, size - random.nextInt(200)));
      case 2 -> bytes = Arrays.copyOf(bytes, at);
      case 3 -> bytes = Arrays.copyOf(bytes, size + 1 + random.nextInt(5000)); // preallocated
      case 4 -> Arrays.fill(bytes, at, size, (byte) 0);
      case 5 -> Arrays.fill(bytes, at, Math.min(size, at + random.nextInt(4096)), (byte) 0);
      case 6 -> {
        if (size > 0) {
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
      }
      default -> {
        if (size > 12) { // a false length of the first batch
          ByteBuffer.wrap(bytes).putInt(8, random.nextInt(3) == 0 ? random.nextInt() : size);
        }
      }
    }
    Files.write(log, bytes);
  }

  private void damageOther(Path partition) throws IOException {
    List<Path> files = files(partition, "");
    files.removeIf(each -> each.toString().endsWith(".log"));
    if (files.isEmpty()) {
      long base = segments.firstKey() + random.nextInt(2);
      String suffix =
          List.of(".index", ".timeindex", ".txnindex", ".snapshot").get(random.nextInt(4));
      Files.write(partition.resolve(name(base, suffix)), noise(random.nextInt(100)));
      return;
    }
    Path file = files.get(random.nextInt(files.size()));
    byte[] bytes = Files.readAllBytes(file);
    switch (random.nextInt(5)) {
      case 0, 1 -> Files.delete(file);
      case 2 -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case 3 -> Files.write(file, noise(bytes.length));
      default -> Files.write(file, Arrays.copyOf(bytes, bytes.length + random.nextInt(64)));
    }
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    for (int i = 0; i < length; i++) {
      noise[i] = (byte) (random.nextInt(3) == 0 ? random.nextInt() : 0);
    }
    return noise;
  }

  private static List<Path> files(Path partition, String suffix) throws IOException {
    try (Stream<Path> all = Files.list(partition)) {
      return new ArrayList<>(
          all.filter(each -> each.toString().endsWith(suffix)).sorted().toList());
    }
  }

  static String name(long base, String suffix) {
    return String.format("%020d%s", base, suffix);
  }
}
