// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One run of JMH.
 *
 * @param benchmark simple name of the class
 * @param parameters values with commas between them, by name; for the others JMH takes all that the
 *     class names
 * @param options with their value; without them the class has its own times
 */
record Run(String benchmark, Map<String, String> parameters, Map<String, String> options) {
  static Run of(String benchmark) {
    return new Run(benchmark, Map.of(), Map.of());
  }

  /** Returns the same with values of one more parameter. */
  Run with(String parameter, String values) {
    return new Run(benchmark, joined(parameters, Map.of(parameter, values)), options);
  }

  /**
   * Returns what JMH is given.
   *
   * @param methods as regular expressions
   * @param given what the user adds: options win, parameters only count where the run has none
   */
  List<String> arguments(List<String> methods, Given given) {
    List<String> words = new ArrayList<>(methods);
    joined(given.parameters(), parameters)
        .forEach((name, values) -> words.addAll(List.of("-p", name + "=" + values)));
    SortedMap<String, List<String>> all = new TreeMap<>();
    options.forEach((name, value) -> all.put(name, List.of(value)));
    all.putAll(given.options());
    all.forEach((name, values) -> values.forEach(value -> words.addAll(List.of(name, value))));
    return words;
  }

  private static SortedMap<String, String> joined(
      Map<String, String> weaker, Map<String, String> stronger) {
    SortedMap<String, String> both = new TreeMap<>(weaker);
    both.putAll(stronger);
    return both;
  }
}
