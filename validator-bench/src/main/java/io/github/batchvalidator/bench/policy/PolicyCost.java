// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.policy;

import com.sun.management.ThreadMXBean;
import io.github.batchvalidator.dropin.policies.Policies;
import io.github.batchvalidator.dropin.policies.TopicPolicies;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * The cost of one {@link HostilePolicy}: time to load it, time and allocation of a look for
 * changes, heap that the broker keeps for it, and look-ups of topics and schema ids. Prints one row
 * of a table. Run it in a new JVM, so that the first load is that of a broker that has just
 * started.
 */
public final class PolicyCost {
  /** The head of the table. */
  static final String HEAD =
      "| file | answer | load, first, ms | load, least, ms | look, ms | look, KiB | heap kept, KiB |"
          + " topic, first look-up, us | topic, ns | schema id, ns |\n"
          + "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int LOADS = 5;
  private static final int NEW_TOPICS = 5;
  private static final int ROUNDS = 10;
  private static final int LOOK_UPS = 1_000_000;
  private static final int TOPIC_CHARS = 249;
  private static final double NANOS_PER_MS = 1e6;
  private static final double NANOS_PER_US = 1e3;

  private final PolicyFile file;
  private final TopicPolicies policies = new TopicPolicies(PolicySection.KAFKA);

  /** Keeps the compiler from leaving look-ups out. */
  private long seen;

  private PolicyCost(PolicyFile file) {
    this.file = file;
    policies.replace(file);
  }

  /**
   * Prints the head of the table, or a row.
   *
   * @param args nothing, or the name of a {@link HostilePolicy} and an empty folder
   * @throws IOException if the files cannot be written
   */
  public static void main(String[] args) throws IOException {
    PrintStream out = System.out;
    out.println(args.length == 0 ? HEAD : row(HostilePolicy.valueOf(args[0]), Path.of(args[1])));
  }

  /** Returns the row of a policy. As in a broker, rules are kept until the next ones are there. */
  static String row(HostilePolicy policy, Path folder) throws IOException {
    Path path = policy.write(folder);
    long before = usedBytes();
    List<Double> loadMs = new ArrayList<>();
    PolicyCost cost = null;
    BooleanSupplier changed = () -> true;
    String answer = "";
    for (int i = 0; i < LOADS; i++) {
      long start = System.nanoTime();
      try {
        cost = new PolicyCost(PolicyFile.load(path));
        changed = cost.file::hasFileChanged;
        answer = "accepted";
      } catch (PolicyFileException e) {
        changed = e::hasFileChanged;
        answer = "refused: " + e.problems().get(0).message().replaceAll(";.*", "");
      }
      loadMs.add((System.nanoTime() - start) / NANOS_PER_MS);
    }
    long kept = usedBytes() - before;
    double least = loadMs.stream().mapToDouble(ms -> ms).min().orElseThrow();
    String loads =
        String.format(
            Locale.ROOT, "| %s | %s | %.0f | %.0f |", policy.label(), answer, loadMs.get(0), least);
    return loads
        + looks(changed)
        + (cost == null ? " | | | |" : " " + (kept >> 10) + " | " + cost.lookUps());
  }

  /** A look for changes, which a broker takes every five seconds: the least of some. */
  private static String looks(BooleanSupplier changed) {
    double leastMs = Double.MAX_VALUE;
    long leastBytes = Long.MAX_VALUE;
    for (int i = 0; i < LOADS; i++) {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long start = System.nanoTime();
      if (changed.getAsBoolean()) {
        throw new IllegalStateException("the file has changed");
      }
      leastMs = Math.min(leastMs, (System.nanoTime() - start) / NANOS_PER_MS);
      leastBytes = Math.min(leastBytes, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    }
    return String.format(Locale.ROOT, " %.1f | %d |", leastMs, leastBytes >> 10);
  }

  private String lookUps() {
    double first = firstLookUpNanos();
    double known = knownLookUpNanos();
    TopicRules rules = file.sections().get(file.sections().size() - 1).rules();
    String id =
        rules.isInEffect(TopicRule.VALUE_SCHEMA)
            ? String.format(Locale.ROOT, "%.0f", idNanos(rules.get(TopicRule.VALUE_SCHEMA_IDS)))
            : "";
    if (seen == 0) {
      throw new IllegalStateException("nothing was looked up");
    }
    return String.format(Locale.ROOT, "%.0f | %.0f | %s |", first / NANOS_PER_US, known, id);
  }

  private static String topic(int number) {
    String start = "%07d".formatted(number);
    return start + "a".repeat(TOPIC_CHARS - start.length());
  }

  /** The median of some topics that were not seen before. */
  private double firstLookUpNanos() {
    List<Long> nanos = new ArrayList<>();
    for (int i = 0; i < NEW_TOPICS; i++) {
      String topic = topic(i);
      long start = System.nanoTime();
      look(topic);
      nanos.add(System.nanoTime() - start);
    }
    return nanos.stream().sorted().skip(NEW_TOPICS / 2).findFirst().orElseThrow();
  }

  private void look(String topic) {
    Policies found = policies.of(topic);
    seen += found.hashCode() | 1;
  }

  /** The least round of look-ups of topics that are in the cache. */
  private double knownLookUpNanos() {
    String[] topics = new String[NEW_TOPICS];
    for (int i = 0; i < topics.length; i++) {
      topics[i] = topic(i);
    }
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < LOOK_UPS; i++) {
        look(topics[i % NEW_TOPICS]);
      }
      least = Math.min(least, (double) (System.nanoTime() - start) / LOOK_UPS);
    }
    return least;
  }

  /** The least round of look-ups of ids in no order, some of which are allowed. */
  private double idNanos(SchemaIds ids) {
    double least = Double.MAX_VALUE;
    int most = 2 * SchemaIds.MAX_ENTRIES;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      long id = round;
      for (int i = 0; i < LOOK_UPS; i++) {
        id = (id + 1_000_003) % most;
        seen += ids.allowsId((int) id) ? 1 : 2;
      }
      least = Math.min(least, (double) (System.nanoTime() - start) / LOOK_UPS);
    }
    return least;
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
