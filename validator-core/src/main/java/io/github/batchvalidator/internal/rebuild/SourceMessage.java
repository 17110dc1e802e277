// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.LegacyRules;
import io.github.batchvalidator.internal.check.MissingCodec;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.format.LegacyHeader;
import io.github.batchvalidator.internal.format.LegacyLayout;
import io.github.batchvalidator.internal.scan.LegacyMessageIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import java.nio.ByteBuffer;

/**
 * The part of {@link SourceBatch} that knows magic 0 and 1: one message, compressed or not.
 *
 * <p>Kafka decompresses a message as a whole before it checks the first one in it. Here both are
 * done in one pass: what a check finds stands only if the rest can be read.
 */
final class SourceMessage {
  private final Decoders decoders;
  private final Payload payload;
  private final ByteWindow window;
  private final RecordRules recordRules;
  private final BatchWriter writer;
  private final LegacyHeader header = new LegacyHeader();
  private final LegacyMessageIterator messages = new LegacyMessageIterator();
  private boolean converting;
  private long declaredBytes;

  SourceMessage(
      Decoders decoders,
      Payload payload,
      ByteWindow window,
      RecordRules recordRules,
      BatchWriter writer) {
    this.decoders = decoders;
    this.payload = payload;
    this.window = window;
    this.recordRules = recordRules;
    this.writer = writer;
  }

  /** Starts on the messages of a buffer; converting if Kafka lists all of them first. */
  void begin(boolean isConverting) {
    converting = isConverting;
  }

  /** Reads a message, and what is in it if it is compressed, as far as key and value. */
  boolean read(ByteBuffer source, int start, Limits limits, MutableVerdict verdict) {
    header.wrap(source, start);
    boolean sound = LegacyRules.checkOuter(header, verdict);
    if (sound && header.codecId() == Codec.NONE.id()) {
      sound = LegacyRules.recordFieldBeyondEnd(header.fieldsEnd(), header.sizeInBytes(), verdict);
    } else if (sound) {
      Codec codec = codec(source, start);
      sound = open(source, start, codec, limits, verdict) && readInner(verdict);
      release(codec);
    }
    header.clear();
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

  /** Returns the codec of a message; the checks have to say whether there is such a one. */
  Codec codec(ByteBuffer source, int start) {
    Codec codec = Codec.byId(header.wrap(source, start).codecId());
    return codec == null ? Codec.NONE : codec;
  }

  /** Checks a message, and what is in it if it is compressed, and appends it. */
  boolean rebuild(
      ByteBuffer source,
      int start,
      Policy policy,
      Limits limits,
      long nowMs,
      MutableVerdict verdict) {
    header.wrap(source, start);
    boolean accepted = LegacyRules.checkOuter(header, verdict);
    if (accepted) {
      Codec codec = codec(source, start);
      verdict.header(codec, false, policy.target().timestampType());
      recordRules.begin(header, policy, nowMs);
      accepted = open(source, start, codec, limits, verdict) && walk(verdict);
      release(codec);
    }
    header.clear();
    return accepted;
  }

  private boolean open(
      ByteBuffer source, int start, Codec codec, Limits limits, MutableVerdict verdict) {
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder == null) {
      return MissingCodec.refuse(codec, decoders, verdict);
    }
    if (codec == Codec.NONE) {
      payload.wrap(source, start, header.sizeInBytes());
    } else {
      payload.wrap(source, start + (int) header.valueSizeEnd(), header.valueSize());
      if (header.magic() == LegacyLayout.MAGIC_V0) {
        payload.ignoringHeaderChecksum();
      }
    }
    decoder.open(payload, limits, window);
    messages.open(window, header, limits, true);
    return true;
  }

  private void release(Codec codec) {
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder != null) {
      decoder.release();
    }
    declaredBytes = messages.bytesRead();
    messages.clear();
  }

  /** Checks each message up to the one that ends the call, and reads them all. */
  private boolean walk(MutableVerdict verdict) {
    boolean ended = false;
    while (messages.next()) {
      if (!ended) {
        check(verdict);
        boolean refused = verdict.reason() != null && !verdict.decidedByRecords();
        ended = refused || (converting && writer.failure() != null);
      }
    }
    boolean readable = messages.finish();
    verdict.records(messages.index() + 1, window.plainPosition(), recordRules.maxTimestamp());
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

  /** Returns what the messages of the last batch take, prefixes included. */
  long declaredBytes() {
    return declaredBytes;
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return messages.heapBytes();
  }
}
