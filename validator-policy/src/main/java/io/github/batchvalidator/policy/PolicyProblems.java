// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A list of the mistakes in a policy file. It is bounded, however large and wrong the file is. */
final class PolicyProblems {
  /** More mistakes are not listed. */
  static final int MOST = 100;

  /** Texts of the file are cut to this length before they become part of a message. */
  private static final int MOST_CHARS = 200;

  private final List<PolicyProblem> problems = new ArrayList<>();

  /** Adds a mistake, unless the list is full or the last mistake is the same. */
  void add(Path file, int line, String key, String message) {
    PolicyProblem next = new PolicyProblem(file.toString(), line, shorten(key), message);
    boolean isRepeated = !isEmpty() && problems.get(problems.size() - 1).equals(next);
    if (!isFull() && !isRepeated) {
      problems.add(next);
    }
  }

  /** Adds a mistake in an entry of the policy file, unless the list is full. */
  void add(Path file, PolicyLines.Entry entry, String message) {
    add(file, entry.line(), entry.key(), message);
  }

  boolean isFull() {
    return problems.size() >= MOST;
  }

  boolean isEmpty() {
    return problems.isEmpty();
  }

  List<PolicyProblem> list() {
    return problems;
  }

  /** {@return a text of the file, cut if it is long} */
  static String shorten(String text) {
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS) + "...";
  }
}
