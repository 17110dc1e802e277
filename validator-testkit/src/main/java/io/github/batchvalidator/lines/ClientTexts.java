// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a refusal as a client gets them: the message of the exception, then that of each
 * failing record. Clients, alerts and tests look for Kafka's phrases and numbers in them.
 *
 * @param all in order
 */
public record ClientTexts(List<String> all) {
  static final ClientTexts NONE = new ClientTexts(List.of());

  public static ClientTexts of(@Nullable String message, List<String> ofRecords) {
    List<String> all = new ArrayList<>();
    all.add(Objects.toString(message));
    all.addAll(ofRecords);
    return new ClientTexts(all);
  }

  /** Returns true if all texts are equal, apart from known differences. */
  boolean sayTheSame(ClientTexts other) {
    return comparable().equals(other.comparable());
  }

  private List<String> comparable() {
    return all.stream().map(TextDifference::remove).toList();
  }
}
