// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import io.github.batchvalidator.testing.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Kills recovery with the agent at a drawn point, and the next recovery, too. Stock Kafka and the
 * agent recover what a kill leaves, and the files are compared.
 */
final class KilledRecovery implements AutoCloseable {
  private static final int KILLS = 2;
  private static final int TRIES = 5;

  private final KafkaSide stock;
  private final KafkaSide ours;
  private final RecoveredTwice both;
  private final Path root;

  /**
   * Creates an object; closing deletes all directories.
   *
   * @param ours a side of {@link KafkaSide#killed}
   */
  KilledRecovery(KafkaSide stock, KafkaSide ours) throws IOException {
    this.stock = stock;
    this.ours = ours;
    both = new RecoveredTwice(stock, ours);
    root = Directories.create();
  }

  /** Returns the first difference, or an empty text. */
  String compare(long seed) throws Exception {
    CrashedPartition crashed = new CrashedPartition(seed);
    SplittableRandom random = new SplittableRandom(seed).split();
    Path origin = root.resolve("origin");
    crashed.write(Directories.partition(origin), stock);
    Path before = origin;
    boolean clean = crashed.hadCleanShutdown;
    for (int kill = 1; kill <= KILLS; kill++) {
      Path killed = root.resolve("killed-" + kill);
      kill(before, killed, crashed, clean, random);
      clean = false; // Kafka deletes the mark of a clean stop before it loads a log
      String difference = both.compare(origin, killed, crashed, clean, 1);
      if (!difference.isEmpty()) {
        return "after kill " + kill + ": " + difference;
      }
      before = killed;
    }
    for (Path each : Directories.files(root)) {
      Folders.delete(each);
    }
    return "";
  }

  /** Recovers a copy of a directory with the agent, and writes what a kill leaves. */
  private void kill(
      Path before, Path killed, CrashedPartition crashed, boolean clean, SplittableRandom random)
      throws Exception {
    Path whole = Directories.copy(before, root.resolve("whole"));
    Path running = root.resolve("running");
    ours.hits();
    ours.load(Directories.partition(whole), crashed, clean);
    int[] hits = ours.hits();
    int[] sites = IntStream.range(0, hits.length).filter(each -> hits[each] > 0).toArray();
    // A call of a background thread may be missing the second time.
    for (int tries = 1; !Files.exists(killed); tries++) {
      if (tries > TRIES) {
        throw new IllegalStateException("recovery takes another way each time");
      }
      Folders.delete(running);
      Directories.copy(before, running);
      int site = sites[random.nextInt(sites.length)];
      ours.arm(site, 1 + random.nextInt(hits[site]), running, killed);
      ours.load(Directories.partition(running), crashed, clean);
    }
    Folders.delete(whole);
    Folders.delete(running);
  }

  @Override
  public void close() throws IOException {
    both.close();
    Folders.delete(root);
  }
}
