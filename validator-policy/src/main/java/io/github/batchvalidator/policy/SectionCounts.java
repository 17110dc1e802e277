// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.watch.Counts;
import io.github.batchvalidator.watch.ValidationListener;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A listener that counts refused batches and batches with findings by {@link Verdict#section()}.
 * Names of sections come from policy files, never from clients.
 *
 * <p>Safe for use by multiple threads and lock-free. Allocates only when a section gets its first
 * count. An accepted batch without findings costs two checks.
 */
public final class SectionCounts implements ValidationListener {
  /** The maximum number of sections that are counted by name, as many as a policy file may have. */
  public static final int MAX_SECTIONS = 10_000;

  /**
   * The name under which all further sections are counted. A section of a file never has this name.
   * More than {@value #MAX_SECTIONS} names occur only if a file is replaced many times.
   */
  public static final String OTHERS = "(others)";

  private final Map<String, AtomicLong> refused = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> found = new ConcurrentHashMap<>();

  /** Creates counts that start at 0. */
  public SectionCounts() {}

  @Override
  public void judged(Verdict verdict, @Nullable Object where) {
    if (verdict.reason() != null) {
      count(refused, verdict.section());
    }
    if (verdict.findings().matterTo(verdict)) {
      count(found, verdict.section());
    }
  }

  private static void count(Map<String, AtomicLong> counts, String section) {
    AtomicLong known = counts.get(section);
    if (known == null) {
      String name = counts.size() < MAX_SECTIONS ? section : OTHERS;
      known = counts.computeIfAbsent(name, any -> new AtomicLong());
    }
    known.incrementAndGet();
  }

  /**
   * {@return the number of refused batches of a section}
   *
   * @param section the name of a section, {@link Policy#DEFAULT_SECTION}, or {@link #OTHERS}
   */
  public long refused(String section) {
    return countOf(refused, section);
  }

  /**
   * {@return the number of batches of a section with findings although level KAFKA accepts them,
   * see {@link Counts#found}}
   *
   * @param section as for {@link #refused(String)}
   */
  public long found(String section) {
    return countOf(found, section);
  }

  private static long countOf(Map<String, AtomicLong> counts, String section) {
    AtomicLong count = counts.get(section);
    return count == null ? 0 : count.get();
  }

  /** {@return refused batches by section, without sections that have none} Allocates. */
  public Map<String, Long> refused() {
    return copy(refused);
  }

  /** {@return batches with findings by section, without sections that have none} Allocates. */
  public Map<String, Long> found() {
    return copy(found);
  }

  private static Map<String, Long> copy(Map<String, AtomicLong> counts) {
    Map<String, Long> copy = new TreeMap<>();
    counts.forEach((section, count) -> copy.put(section, count.get()));
    return copy;
  }
}
