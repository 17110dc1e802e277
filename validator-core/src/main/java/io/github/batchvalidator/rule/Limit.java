// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import org.jspecify.annotations.Nullable;

/**
 * One of the {@link Limits}, for hosts that read them from settings by name: what it is called,
 * which values it takes, and what it is in the two presets. What it means is told by the method of
 * the same name in {@link Limits}.
 */
public enum Limit {
  /** {@link Limits#plainBytes()}. */
  PLAIN_BYTES("plainBytes", 0, Long.MAX_VALUE, Long.MAX_VALUE, 1 << 27),
  /** {@link Limits#ratio()}. */
  RATIO("ratio", 1, Limits.UNLIMITED, Limits.UNLIMITED, 256),
  /** {@link Limits#records()}. */
  RECORDS("records", 1, Limits.UNLIMITED, Limits.UNLIMITED, 1 << 20),
  /** {@link Limits#recordBytes()}. */
  RECORD_BYTES("recordBytes", 1, Limits.UNLIMITED, Limits.UNLIMITED, 1 << 25),
  /** {@link Limits#headers()}. */
  HEADERS("headers", 0, Limits.UNLIMITED, Limits.UNLIMITED, 1 << 10),
  /** {@link Limits#headerBytes()}. */
  HEADER_BYTES("headerBytes", 0, Limits.UNLIMITED, Limits.UNLIMITED, 1 << 18),
  /** {@link Limits#codecMemoryBytes()}. */
  CODEC_MEMORY_BYTES("codecMemoryBytes", 1 << 16, 1 << 27, 1 << 27, 1 << 23),
  /** {@link Limits#rebuiltBytes()}. */
  REBUILT_BYTES("rebuiltBytes", 1, Integer.MAX_VALUE - 8, 1 << 27, 1 << 27);

  private final String label;
  private final long least;
  private final long most;
  private final long asKafka;
  private final long brokerDefault;

  Limit(String label, long least, long most, long asKafka, long brokerDefault) {
    this.label = label;
    this.least = least;
    this.most = most;
    this.asKafka = asKafka;
    this.brokerDefault = brokerDefault;
  }

  /** {@return the name in settings, that of the method of {@link Limits}} */
  public String label() {
    return label;
  }

  /** {@return the value in {@link Limits#UNBOUNDED_AS_KAFKA}} */
  long asKafka() {
    return asKafka;
  }

  /** {@return the value in {@link Limits#BROKER_DEFAULT}} */
  long brokerDefault() {
    return brokerDefault;
  }

  /**
   * {@return true if the limit takes this value}
   *
   * @param value any number
   */
  public boolean isLegal(long value) {
    boolean between =
        this == RECORD_BYTES && value > Limits.LARGEST_RECORD_BYTES && value < Limits.UNLIMITED;
    return value >= least && value <= most && !between;
  }

  /** {@return the values that it takes, in words} */
  public String legalValues() {
    return this == RECORD_BYTES
        ? range(Limits.LARGEST_RECORD_BYTES) + ", or " + most + " for what Kafka did before 4.4"
        : range(most);
  }

  private String range(long end) {
    return "a whole number from " + least + " to " + end;
  }

  /**
   * {@return the value that a text says, or null if it is none that the limit takes}
   *
   * @param text decimal digits
   */
  public @Nullable Long parse(String text) {
    try {
      Long value = Long.valueOf(text);
      return isLegal(value) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
