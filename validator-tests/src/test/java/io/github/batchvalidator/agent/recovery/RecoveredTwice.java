// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import io.github.batchvalidator.testing.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Recovers copies of a crashed partition by stock Kafka and with the agent, and compares them. */
final class RecoveredTwice implements AutoCloseable {
  private final KafkaSide stock;
  private final KafkaSide ours;
  private final Path root;

  /** Creates an object; closing deletes all directories. */
  RecoveredTwice(KafkaSide stock, KafkaSide ours) throws IOException {
    this.stock = stock;
    this.ours = ours;
    root = Directories.create();
  }

  /** Returns the first difference, or an empty text. */
  String compare(long seed) throws Exception {
    CrashedPartition crashed = new CrashedPartition(seed);
    Path origin = root.resolve("origin");
    crashed.write(Directories.partition(origin), stock);
    return compare(origin, crashed);
  }

  /** Returns the first difference for each size of the last segment from a size to another. */
  String compareTorn(long seed, int most) throws Exception {
    Path origin = root.resolve("origin");
    for (int cut = 0; cut <= most; cut++) {
      CrashedPartition crashed = new CrashedPartition(seed);
      Path partition = Directories.partition(origin);
      crashed.writeSound(partition);
      List<Path> logs =
          Directories.files(partition).stream().filter(f -> f.toString().endsWith(".log")).toList();
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
    boolean twice = new SplittableRandom(crashed.seed).split().nextInt(4) == 0;
    String difference = compare(origin, origin, crashed, crashed.hadCleanShutdown, twice ? 2 : 1);
    if (difference.isEmpty()) {
      Folders.delete(origin);
    }
    return difference;
  }

  /**
   * Returns the first difference, or an empty text.
   *
   * @param original the directory before anything was recovered, of which no batch may be lost
   * @param before the directory to recover
   * @param clean whether the broker was stopped
   * @param times how often to recover it
   */
  String compare(Path original, Path before, CrashedPartition crashed, boolean clean, int times)
      throws Exception {
    Path ofStock = Directories.copy(before, root.resolve("stock"));
    Path ofOurs = Directories.copy(before, root.resolve("ours"));
    String expected = "";
    String actual = "";
    for (int i = 0; i < times; i++) {
      expected += load(stock, ofStock, crashed, clean);
      actual += load(ours, ofOurs, crashed, clean);
    }
    String difference = expected.equals(actual) ? "" : "stock: " + expected + "\nours: " + actual;
    if (difference.isEmpty()) {
      difference =
          Directories.difference(Directories.partition(ofStock), Directories.partition(ofOurs));
    }
    if (difference.isEmpty()) {
      difference = Kept.lost(Directories.partition(original), Directories.partition(ofOurs));
    }
    if (difference.isEmpty()) {
      Folders.delete(ofStock);
      Folders.delete(ofOurs);
    }
    return difference;
  }

  private static String load(
      KafkaSide side, Path directory, CrashedPartition crashed, boolean clean) throws Exception {
    Path partition = Directories.partition(directory);
    return side.load(partition, crashed, clean)
        .replace(partition.toString(), "")
        .replace(directory.toString(), "")
        .replaceAll("lastModifiedTime=\\d+", "lastModifiedTime"); // in texts of exceptions
  }

  @Override
  public void close() throws IOException {
    Folders.delete(root);
  }
}
