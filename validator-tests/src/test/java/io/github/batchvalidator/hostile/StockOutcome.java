// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

/** What becomes of an input in a stock broker, as far as it is the same at every run. */
enum StockOutcome {
  ACCEPTED("accepted"),
  REFUSED("refused"),
  UNREADABLE("**stored, no consumer can read it**"),
  EXHAUSTING("stored, **its readers run out of memory**"),
  CRASH("crash"),
  STACK_OVERFLOW("**stack overflow**"),
  OUT_OF_MEMORY("**out of memory**"),
  /** The JVM ended without an answer. */
  GONE("**the JVM ends**");

  private final String words;

  StockOutcome(String words) {
    this.words = words;
  }

  /** Returns the outcome in the words of the document. */
  String words() {
    return words;
  }

  /** Returns true if the batch lies in the log. */
  boolean isStored() {
    return this == ACCEPTED || this == UNREADABLE || this == EXHAUSTING;
  }

  /** Returns true if more than the one request is harmed. */
  boolean isFelled() {
    return this == STACK_OVERFLOW || this == OUT_OF_MEMORY || this == GONE;
  }
}
