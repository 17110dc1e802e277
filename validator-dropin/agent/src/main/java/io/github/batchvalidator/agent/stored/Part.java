// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

/** A part of the agent for stored batches, which has its own setting and its own known code. */
enum Part {
  /** Recovers sound segments in one pass. */
  RECOVERY("recovery", "recovers segments in one pass", "leaves recovery to Kafka"),
  /** Keeps what recovery cuts. */
  KEEP("keep", "keeps what recovery cuts", "keeps nothing that recovery cuts"),
  /** Checks segments before they are compacted. */
  COMPACTION("compaction", "checks segments before compaction", "leaves compaction to Kafka");

  private final String label;
  private final String active;
  private final String inactive;

  Part(String label, String active, String inactive) {
    this.label = label;
    this.active = active;
    this.inactive = inactive;
  }

  /** {@return the name in the table of known code} */
  String label() {
    return label;
  }

  /** {@return the line of the log if the part is active} */
  String active(String version) {
    return "Batch Validator's agent " + active + ": knows Kafka " + version;
  }

  /** {@return the line of the log if the part is not active} */
  String inactive(String why) {
    return "Batch Validator's agent " + inactive + ": " + why;
  }
}
