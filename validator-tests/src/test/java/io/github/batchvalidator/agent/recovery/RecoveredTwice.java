// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Recovers copies of a crashed partition by stock Kafka and with the agent, and compares them. */
final class RecoveredTwice {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final KafkaSide stock;
  private final KafkaSide ours;
  private final Path root;

  private RecoveredTwice(KafkaSide stock, KafkaSide ours, Path root) {
    this.stock = stock;
    this.ours = ours;
    this.root = root;
  }

  static RecoveredTwice of(KafkaSide stock, KafkaSide ours) throws IOException {
    // Snapshots are flushed to the device, which takes milliseconds on a disk.
    Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
    return new RecoveredTwice(stock, ours, Files.createTempDirectory(parent, "crashed"));
  }

  /** Returns the first difference, or an empty text. */
  String compare(long seed) throws Exception {
    CrashedPartition crashed = new CrashedPartition(seed);
    Path origin = root.resolve("origin").resolve(CrashedPartition.NAME);
    crashed.writeSound(origin);
    if (crashed.isWrittenByStock()) {
      stock.load(origin, crashed);
    }
    crashed.crash(origin);
    return compare(origin, crashed);
  }

  /** Returns the first difference for each size of the last segment from a size to another. */
  String compareTorn(long seed, int most) throws Exception {
    Path origin = root.resolve("origin").resolve(CrashedPartition.NAME);
    for (int cut = 0; cut <= most; cut++) {
      CrashedPartition crashed = new CrashedPartition(seed);
      crashed.writeSound(origin);
      List<Path> logs = files(origin).stream().filter(f -> f.toString().endsWith(".log")).toList();
      Path log = logs.get(logs.size() - 1);
      byte[] bytes = Files.readAllBytes(log);
      Files.write(log, Arrays.copyOf(bytes, Math.max(0, bytes.length - cut)));
      String difference = compare(origin, crashed);
      if (!difference.isEmpty()) {
        return "cut " + cut + ": " + difference;
      }
    }
    return "";
  }

  private String compare(Path origin, CrashedPartition crashed) throws Exception {
    Path ofStock = copy(origin, root.resolve("stock"));
    Path ofOurs = copy(origin, root.resolve("ours"));
    boolean twice = new SplittableRandom(crashed.seed).split().nextInt(4) == 0;
    String expected = text(stock.load(ofStock, crashed), ofStock);
    String actual = text(ours.load(ofOurs, crashed), ofOurs);
    if (twice) {
      expected += text(stock.load(ofStock, crashed), ofStock);
      actual += text(ours.load(ofOurs, crashed), ofOurs);
    }
    String difference = expected.equals(actual) ? "" : "stock: " + expected + "\nours: " + actual;
    if (difference.isEmpty()) {
      difference = difference(ofStock, ofOurs);
    }
    if (difference.isEmpty()) {
      difference = Kept.lost(origin, ofOurs);
    }
    if (difference.isEmpty()) {
      for (Path each : List.of(origin, ofStock, ofOurs)) {
        delete(each);
      }
      Kept.delete(ofOurs);
    }
    return difference;
  }

  private static String text(String result, Path directory) {
    String parent = Objects.requireNonNull(directory.getParent()).toString();
    return result.replace(directory.toString(), "").replace(parent, "");
  }

  private static Path copy(Path from, Path parent) throws IOException {
    Path to = Files.createDirectories(parent.resolve(CrashedPartition.NAME));
    for (Path each : files(from)) {
      Files.copy(each, to.resolve(each.getFileName()));
    }
    return to;
  }

  private static String difference(Path one, Path other) throws IOException {
    List<String> names = names(one);
    if (!names.equals(names(other))) {
      return "stock: " + names + ", ours: " + names(other);
    }
    for (String name : names) {
      if (Files.mismatch(one.resolve(name), other.resolve(name)) >= 0) {
        return name + " differs at " + Files.mismatch(one.resolve(name), other.resolve(name));
      }
    }
    return "";
  }

  private static List<String> names(Path directory) throws IOException {
    return files(directory).stream().map(each -> each.getFileName().toString()).toList();
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return new ArrayList<>(all.sorted().toList());
    }
  }

  private static void delete(Path directory) throws IOException {
    for (Path each : files(directory)) {
      Files.delete(each);
    }
  }

  /** Deletes all directories. */
  void clear() throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
