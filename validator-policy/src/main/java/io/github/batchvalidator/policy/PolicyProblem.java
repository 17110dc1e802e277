// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

/**
 * One mistake in a policy file.
 *
 * @param file the file, which may be a file of schema ids
 * @param line the number of the line, from 1; 0 for the file as a whole
 * @param key the key in the file, or an empty text
 * @param message what is wrong and what is legal
 */
public record PolicyProblem(String file, int line, String key, String message) {
  /** {@return a text such as {@code policy.properties:12: topics.a.level: ...}} */
  @Override
  public String toString() {
    return file + (line > 0 ? ":" + line : "") + (key.isEmpty() ? "" : ": " + key) + ": " + message;
  }
}
