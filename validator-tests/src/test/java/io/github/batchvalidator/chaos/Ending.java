// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** How brokers are ended: the same ones for the same seed. */
abstract class Ending {
  private static final int MOST_DOWN_MS = 1_500;

  private final Random random;

  private Ending(long seed) {
    random = new Random(seed);
  }

  static Ending of(Plan plan) {
    return switch (plan.scenario()) {
      case KILLS, HEAP -> new Kill(plan.seed());
      case DISK -> new FullDisk(plan.seed());
      case UPGRADE -> new Upgrade(plan);
    };
  }

  /** Ends brokers for a moment, and returns how many. */
  final int end(List<Node> nodes) throws IOException, InterruptedException {
    List<Node> shuffled = new ArrayList<>(nodes);
    Collections.shuffle(shuffled, random);
    int ended = end(shuffled, random.nextInt(10));
    Thread.sleep(random.nextInt(MOST_DOWN_MS));
    return ended;
  }

  /**
   * Ends some of the brokers, and returns how many.
   *
   * @param shuffled all brokers
   * @param dice from 0 to 9
   */
  abstract int end(List<Node> shuffled, int dice) throws IOException, InterruptedException;

  /** Kills one broker, two or all. */
  private static final class Kill extends Ending {
    Kill(long seed) {
      super(seed);
    }

    @Override
    int end(List<Node> shuffled, int dice) throws IOException {
      int count = dice < 5 ? 1 : dice < 8 ? 2 : shuffled.size();
      for (Node each : shuffled.subList(0, count)) {
        each.kill();
      }
      return count;
    }
  }

  /** Fills the disks of one broker or two until the brokers have ended themselves. */
  private static final class FullDisk extends Ending {
    FullDisk(long seed) {
      super(seed);
    }

    @Override
    int end(List<Node> shuffled, int dice) throws IOException, InterruptedException {
      List<Node> full = shuffled.subList(0, dice < 7 ? 1 : 2);
      for (Node each : full) {
        each.disk().fill();
      }
      for (Node each : full) {
        each.awaitEndByFullDisk();
        each.disk().free();
      }
      return full.size();
    }
  }

  /** Stops or kills a broker, which then starts with the next step of an upgrade, or as stock. */
  private static final class Upgrade extends Ending {
    private final boolean upgrades;

    Upgrade(Plan plan) {
      super(plan.seed());
      upgrades = plan.upgrades();
    }

    @Override
    int end(List<Node> shuffled, int dice) throws IOException, InterruptedException {
      Node node = shuffled.get(0);
      if (dice < 5) {
        node.broker().stop();
      }
      node.kill();
      if (upgrades) {
        node.upgrade();
      }
      return 1;
    }
  }
}
