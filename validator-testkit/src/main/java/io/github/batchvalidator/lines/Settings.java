// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;

/**
 * The arguments of the validator other than the bytes.
 *
 * @param entry which public method is called
 * @param source codec that the caller claims for the batches
 * @param target codec of the topic
 * @param level of the target codec; {@link #DEFAULT_LEVEL} for its default
 * @param toMagic of the batch to be stored
 * @param type of timestamp that the topic keeps
 * @param beforeMs how far back a timestamp may lie
 * @param afterMs how far ahead a timestamp may lie
 * @param nowMs of the clock, which stands still
 * @param compacted true if the topic wants keys
 * @param origin name of Kafka's constant
 * @param leaderEpoch to be stamped
 * @param firstOffset where the offset counter starts
 * @param recordLimit of Kafka 4.4, unused in others; {@link #NO_LIMIT} for the constructor without
 * @param oldBrokers of Kafka 3.9, unused in others: brokers that do not know zstd
 * @param caching true for a caching supplier of buffers
 */
public record Settings(
    Entry entry,
    Codec source,
    Codec target,
    int level,
    byte toMagic,
    TimestampType type,
    long beforeMs,
    long afterMs,
    long nowMs,
    boolean compacted,
    String origin,
    int leaderEpoch,
    long firstOffset,
    int recordLimit,
    boolean oldBrokers,
    boolean caching) {
  public static final int DEFAULT_LEVEL = Integer.MIN_VALUE;
  public static final int NO_LIMIT = -1;

  /** The public methods of the validator. */
  public enum Entry {
    VALIDATE("validateMessagesAndAssignOffsets"),
    NON_COMPRESSED("assignOffsetsNonCompressed"),
    COMPRESSED("validateMessagesAndAssignOffsetsCompressed");

    private final String method;

    Entry(String method) {
      this.method = method;
    }

    String method() {
      return method;
    }
  }

  /** A topic that keeps the producer's codec, any timestamp, records from clients. */
  public static Settings of(Codec codec, long nowMs) {
    return new Settings(
        Entry.VALIDATE,
        codec,
        codec,
        DEFAULT_LEVEL,
        (byte) 2,
        TimestampType.CREATE_TIME,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        nowMs,
        false,
        "CLIENT",
        7,
        1000L,
        NO_LIMIT,
        false,
        true);
  }

  public boolean client() {
    return origin.equals("CLIENT");
  }

  /** Returns the record limit that ours applies, where a limit below one is one. */
  public int appliedRecordLimit() {
    return Math.max(1, recordLimit);
  }

  /** Returns these settings as the words of a line. */
  public String toLine() {
    return String.join(
        " ",
        entry.name(),
        source.name(),
        target.name(),
        Integer.toString(level),
        Byte.toString(toMagic),
        type.name(),
        Long.toString(beforeMs),
        Long.toString(afterMs),
        Long.toString(nowMs),
        Boolean.toString(compacted),
        origin,
        Integer.toString(leaderEpoch),
        Long.toString(firstOffset),
        Integer.toString(recordLimit),
        Boolean.toString(oldBrokers),
        Boolean.toString(caching));
  }

  /** Reads what {@link #toLine()} wrote, from the word at {@code from} on. */
  static Settings parse(String[] words, int from) {
    int at = from;
    return new Settings(
        Entry.valueOf(words[at++]),
        Codec.valueOf(words[at++]),
        Codec.valueOf(words[at++]),
        Integer.parseInt(words[at++]),
        Byte.parseByte(words[at++]),
        TimestampType.valueOf(words[at++]),
        Long.parseLong(words[at++]),
        Long.parseLong(words[at++]),
        Long.parseLong(words[at++]),
        Boolean.parseBoolean(words[at++]),
        words[at++],
        Integer.parseInt(words[at++]),
        Long.parseLong(words[at++]),
        Integer.parseInt(words[at++]),
        Boolean.parseBoolean(words[at++]),
        Boolean.parseBoolean(words[at]));
  }
}
