// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.streams.Bytes;
import org.jspecify.annotations.Nullable;

/** One stream at the edge of a format: what our decoder is to make of it, and what Kafka's does. */
final class StreamCase {
  final String name;
  final byte[] stored;
  final byte @Nullable [] plain;
  final @Nullable Reason reason;

  /** Bytes that Kafka ends cleanly with although ours goes on; null if it does as ours does. */
  byte @Nullable [] kafkaEndsWith;

  /** The exception that Kafka's stream throws instead of an IOException; null if none. */
  @Nullable Class<? extends Throwable> kafkaEscape;

  /** Why Kafka's stream is no oracle here; null if it is. */
  @Nullable String kafkaLeftOut;

  private StreamCase(String name, byte[] stored, byte @Nullable [] plain, @Nullable Reason reason) {
    this.name = name;
    this.stored = stored;
    this.plain = plain;
    this.reason = reason;
  }

  static StreamCase accepted(String name, byte[] plain, byte[]... stored) {
    return new StreamCase(name, Bytes.concat(stored), plain, null);
  }

  static StreamCase refused(String name, Reason reason, byte[]... stored) {
    return new StreamCase(name, Bytes.concat(stored), null, reason);
  }

  /** A stream that every version of the library refuses, not all of them for the same reason. */
  static StreamCase refusedByAnyVersion(String name, byte[]... stored) {
    return new StreamCase(name, Bytes.concat(stored), null, null);
  }

  boolean isAccepted() {
    return plain != null;
  }

  StreamCase whereKafkaThrows(Class<? extends Throwable> escape) {
    kafkaEscape = escape;
    return this;
  }

  StreamCase whereKafkaEndsEarly(byte[] bytes) {
    kafkaEndsWith = bytes;
    return this;
  }

  StreamCase withoutKafka(String why) {
    kafkaLeftOut = why;
    return this;
  }

  @Override
  public String toString() {
    return kafkaLeftOut == null ? name : name + " (" + kafkaLeftOut + ")";
  }
}
