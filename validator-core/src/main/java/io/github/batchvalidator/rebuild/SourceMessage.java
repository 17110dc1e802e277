// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rebuild;

import io.github.batchvalidator.check.BatchRules;
import io.github.batchvalidator.check.LegacyRules;
import io.github.batchvalidator.check.RecordRules;
import io.github.batchvalidator.codec.ByteWindow;
import io.github.batchvalidator.codec.Decoders;
import io.github.batchvalidator.codec.Payload;
import io.github.batchvalidator.codec.PayloadDecoder;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.format.LegacyHeader;
import io.github.batchvalidator.format.LegacyLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.scan.LegacyMessageIterator;
import java.nio.ByteBuffer;
import java.util.Objects;

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

  /** Checks that key and value lie in a message that is not compressed. */
  boolean checkFields(ByteBuffer source, int start, Verdict verdict) {
    header.wrap(source, start);
    int size = header.sizeInBytes();
    long end = header.keySizeEnd();
    end = end > size ? end : header.valueSizeEnd();
    end = end > size ? end : end + Math.max(header.valueSize(), 0);
    boolean sound = LegacyRules.recordFieldBeyondEnd(end, size, verdict);
    header.clear();
    return sound;
  }

  /** Compares the message's checksum with that of its bytes. */
  boolean checkChecksum(ByteBuffer source, int start, Checksums checksums, Verdict verdict) {
    header.wrap(source, start);
    int covered = LegacyLayout.MAGIC_OFFSET;
    int computed = checksums.crc32(source, start + covered, header.sizeInBytes() - covered);
    return BatchRules.batchCrcMismatch(header.crc(), computed, verdict);
  }

  /** Returns the codec of a message; the checks have to say whether there is such a one. */
  Codec codec(ByteBuffer source, int start) {
    Codec codec = Codec.byId(header.wrap(source, start).codecId());
    return codec == null ? Codec.NONE : codec;
  }

  /** Checks a message, and what is in it if it is compressed, and appends it. */
  boolean rebuild(ByteBuffer source, int start, Policy policy, long nowMs, Verdict verdict) {
    header.wrap(source, start);
    boolean accepted = LegacyRules.checkOuter(header, verdict);
    if (accepted) {
      Codec codec = codec(source, start);
      verdict.header(codec, false, policy.timestampType());
      recordRules.begin(header, policy, nowMs);
      accepted = open(source, start, codec, policy, verdict) && walk(codec, verdict);
      release(codec);
    }
    header.clear();
    return accepted;
  }

  private boolean open(ByteBuffer source, int start, Codec codec, Policy policy, Verdict verdict) {
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder == null) {
      return verdict.refuse(Reason.CODEC_UNAVAILABLE, 0, codec.id(), 0);
    }
    if (codec == Codec.NONE) {
      payload.wrap(source, start, header.sizeInBytes());
    } else {
      payload.wrap(source, start + (int) header.valueSizeEnd(), header.valueSize());
      if (header.magic() == LegacyLayout.MAGIC_V0) {
        payload.ignoringHeaderChecksum();
      }
    }
    decoder.open(payload, policy.limits(), window);
    messages.open(window, header, policy.limits(), true);
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
  private boolean walk(Codec codec, Verdict verdict) {
    boolean ended = false;
    while (messages.next()) {
      if (!ended) {
        check(codec, verdict);
        ended = verdict.reason() != null && !verdict.decidedByRecords();
      }
    }
    boolean readable = messages.finish();
    verdict.records(messages.index() + 1, window.produced(), recordRules.maxTimestamp());
    if (!readable) {
      return refuseUnreadable(verdict);
    }
    if (verdict.reason() != null && codec != Codec.NONE) {
      verdict.position((int) header.valueSizeEnd());
    }
    return verdict.reason() == null;
  }

  private void check(Codec codec, Verdict verdict) {
    int index = messages.index();
    long start = messages.start();
    boolean sound =
        codec == Codec.NONE
            ? !recordRules.isKeyRequired()
                || LegacyRules.recordFieldBeyondEnd(messages.keySizeEnd(), messages.size(), verdict)
            : LegacyRules.checkInner(messages, header, recordRules.isKeyRequired(), verdict);
    if (!sound) {
      if (!verdict.decidedByRecords()) {
        verdict.locate(index, start);
      }
      return;
    }
    int keySize = messages.hasKeySize() ? messages.keySize() : 0;
    recordRules.check(index, start, messages.timestamp(), keySize, verdict);
    if (verdict.reason() == null) {
      writer.append(messages);
    }
  }

  private boolean refuseUnreadable(Verdict verdict) {
    verdict.forgetFailures();
    int before = header.codecId() == 0 ? BatchLayout.LOG_OVERHEAD : (int) header.valueSizeEnd();
    verdict.refuse(
        Objects.requireNonNull(messages.failure()),
        before + window.inputPosition(),
        messages.failureFirst(),
        messages.failureSecond());
    verdict.locate(messages.index(), window.plainPosition());
    return false;
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
