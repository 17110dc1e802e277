// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What stands behind {@code --} on the command line, words for JMH.
 *
 * @param benchmarks regular expressions, none for all
 * @param parameters values with commas between them, by name
 * @param options all others, with their values: some may be repeated
 */
record Given(
    List<String> benchmarks, Map<String, String> parameters, Map<String, List<String>> options) {
  /**
   * Reads it.
   *
   * @throws IllegalArgumentException if an option has no value, or a parameter no name
   */
  static Given of(List<String> words) {
    Given given = new Given(new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-")) {
        given.benchmarks.add(word);
      } else if (++i == words.size()) {
        throw new IllegalArgumentException(word + " needs a value");
      } else if (word.equals("-p")) {
        given.addParameter(words.get(i));
      } else {
        given.options.computeIfAbsent(word, option -> new ArrayList<>()).add(words.get(i));
      }
    }
    return given;
  }

  private void addParameter(String text) {
    String[] sides = text.split("=", 2);
    if (sides.length < 2) {
      throw new IllegalArgumentException("-p needs NAME=VALUE,..., not " + text);
    }
    parameters.put(sides[0], sides[1]);
  }

  /** Returns the values that were given for a parameter, or else ours. */
  List<String> values(String parameter, String... ours) {
    String values = parameters.get(parameter);
    return values == null ? List.of(ours) : List.of(values.split(",", -1));
  }
}
