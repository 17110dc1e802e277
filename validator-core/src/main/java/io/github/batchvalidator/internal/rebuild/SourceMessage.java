// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.LegacyRules;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.check.TopicChecks;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.verdict.MutableVerdict;

/**
 * The part of {@link SourceBatch} for magic 0 and 1: one message, compressed or not.
 *
 * <p>Kafka decompresses a whole message before it checks the first message in it. Here one pass
 * does both, and a failed check counts only if the rest can be read.
 */
final class SourceMessage {
  private final RebuildCall call;
  private final PayloadReader reader;
  private final RecordRules recordRules;
  private final TopicChecks topicChecks;
  private final BatchWriter writer;
  private final LegacyHeader header = new LegacyHeader();
  private final LegacyMessageIterator messages = new LegacyMessageIterator();
  private boolean held;
  private long declaredBytes;

  SourceMessage(
      RebuildCall call,
      PayloadReader reader,
      RecordRules recordRules,
      TopicChecks topicChecks,
      BatchWriter writer) {
    this.call = call;
    this.reader = reader;
    this.recordRules = recordRules;
    this.topicChecks = topicChecks;
    this.writer = writer;
  }

  /** Reads key and value of a message, or of all messages in a compressed message. */
  boolean read(int start) {
    MutableVerdict verdict = call.verdict;
    header.read(call.source, start);
    boolean sound = LegacyRules.checkOuter(header, verdict);
    if (sound && header.codecId() == Codec.NONE.id()) {
      sound = LegacyRules.recordFieldBeyondEnd(header.fieldsEnd(), header.sizeInBytes(), verdict);
    } else if (sound) {
      sound = open(start, codec()) && readInner(verdict);
      release();
    }
    return sound;
  }

  private boolean readInner(MutableVerdict verdict) {
    while (messages.next()) {
      if (verdict.reason() == null) {
        LegacyRules.checkReadable(messages, verdict);
      }
    }
    return messages.finish()
        ? verdict.reason() == null
        : FaultLocator.unreadable(messages, header, verdict);
  }

  /** Returns the codec of the last message; none for an unknown id, which the checks refuse. */
  Codec codec() {
    Codec codec = Codec.byId(header.codecId());
    return codec == null ? Codec.NONE : codec;
  }

  /** Checks and appends a message, or all messages in a compressed message. */
  boolean rebuild(int start) {
    MutableVerdict verdict = call.verdict;
    header.read(call.source, start);
    boolean accepted = LegacyRules.checkOuter(header, verdict);
    if (accepted) {
      Codec codec = codec();
      verdict.header(codec, false, call.policy.target().timestampType());
      recordRules.begin(header, call.policy, call.nowMs);
      topicChecks.check(header, call.policy, verdict);
      accepted = open(start, codec) && walk(verdict);
      release();
    }
    return accepted;
  }

  private boolean open(int start, Codec codec) {
    boolean isPlain = codec == Codec.NONE;
    int from = isPlain ? start : start + (int) header.valueSizeEnd();
    int bytes = isPlain ? header.sizeInBytes() : header.valueSize();
    held = isPlain && reader.hold(call.source, from, bytes, call.limits);
    boolean opened = held || openStream(from, bytes, codec);
    if (opened) {
      messages.open(reader.window(), header, call.limits, true);
    }
    return opened;
  }

  private boolean openStream(int from, int bytes, Codec codec) {
    StreamChecks checks = StreamChecks.of(header.magic(), false);
    return reader.select(call.source, from, bytes).open(codec, call.limits, checks, call.verdict);
  }

  /** Ends a message. The next plain message mostly lies in the same array, so that is kept. */
  private void release() {
    declaredBytes = messages.bytesRead();
    if (!held) {
      reader.release();
      messages.clear();
    }
  }

  /** Ends a call and drops the array. The reader is released by its owner. */
  void end() {
    messages.clear();
  }

  /** Reads all messages, and checks them up to the message that ends the call. */
  private boolean walk(MutableVerdict verdict) {
    boolean ended = false;
    while (messages.next()) {
      if (!ended) {
        check(verdict);
        boolean refused = verdict.reason() != null && !verdict.decidedByRecords();
        ended = refused || (call.readsAllFirst && writer.fault().isSet());
      }
    }
    boolean readable = messages.finish();
    verdict
        .walk()
        .records(messages.index() + 1, reader.window().plainPosition(), recordRules.maxTimestamp());
    if (!readable) {
      return FaultLocator.unreadable(messages, header, verdict);
    }
    return verdict.reason() == null || FaultLocator.ofMessage(messages, header, verdict);
  }

  private void check(MutableVerdict verdict) {
    LegacyRules.checkMessage(messages, header, recordRules, verdict);
    if (verdict.reason() == null) {
      writer.append(messages);
    }
  }

  /** Returns the size of all messages of the last batch, prefixes included. */
  long declaredBytes() {
    return declaredBytes;
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return messages.heapBytes();
  }
}
