// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.format.BatchHeader;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.format.Checksums;
import io.github.batchvalidator.internal.check.BatchRules;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.check.TopicChecks;
import io.github.batchvalidator.internal.codec.StreamChecks;
import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.internal.payload.PayloadReader;
import io.github.batchvalidator.internal.scan.RecordContent;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.Objects;

/**
 * A reader that checks the source batches of a {@link RebuildEngine} one after the other and passes
 * their records to a {@link BatchWriter}. Unlike an inspection in place, it reads records
 * completely, and writes each one before it reads the next one.
 *
 * <p>Confined to one thread.
 */
final class SourceBatch {
  private static final int NONE = -1;

  private final RebuildCall call;
  private final PayloadReader reader;
  private final Checksums checksums;
  private final BatchWriter writer;
  private final BatchHeader header = new BatchHeader();
  private final RecordIterator records = new RecordIterator();
  private final SkipKeyValueIterator plainRecords = new SkipKeyValueIterator();
  private final RecordRules recordRules = new RecordRules();
  private final TopicChecks topicChecks = new TopicChecks();
  private final RecordContent content = new RecordContent();
  private final SourceMessage message;

  private boolean first;
  private byte firstMagic;
  private Codec codec = Codec.NONE;
  private int recordCount;
  private long plainBytes;
  private long declaredBytes;
  private long maxTimestamp;

  private boolean looksAtContent;
  private boolean logAppendTime;
  private long baseTimestamp;
  private long batchTimestamp;

  SourceBatch(RebuildCall call, PayloadReader reader, Checksums checksums, BatchWriter writer) {
    this.call = call;
    this.reader = reader;
    this.checksums = checksums;
    this.writer = writer;
    message = new SourceMessage(call, reader, recordRules, topicChecks, writer);
  }

  /** Starts a call. */
  void begin() {
    first = true;
    looksAtContent = false;
    recordCount = 0;
    plainBytes = 0;
    declaredBytes = 0;
    maxTimestamp = Long.MIN_VALUE;
  }

  /** Releases the buffer. */
  void end() {
    records.release();
    message.end();
    content.clear();
  }

  /** Returns the codec of the last batch. */
  Codec codec() {
    return codec;
  }

  /** Makes the checks that need no records; false if the batch is refused. */
  boolean checkAsCaller(int start) {
    header.read(call.source, start, call.verdict.batchBytes());
    return BatchRules.checkBeforeChecksum(header, call.policy, call.verdict)
        && BatchRules.checkChecksum(header, call.source, checksums, call.policy, call.verdict);
  }

  /** Reads all records of a batch; false if a record cannot be read. */
  boolean read(int start, byte magic) {
    if (magic != BatchLayout.MAGIC_V2) {
      return message.read(start);
    }
    header.read(call.source, start, call.verdict.batchBytes());
    if (header.sizeInBytes() < BatchLayout.HEADER_BYTES) {
      return call.verdict.refuse(Reason.BATCH_HEADER_INCOMPLETE, 0, header.sizeInBytes(), 0);
    }
    if (header.recordCount() == 0) {
      return true;
    }
    if (!BatchRules.batchCodecUnknown(header.codecId(), call.verdict)) {
      return false;
    }
    codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    call.verdict.header(codec, header.isControl(), call.policy.target().timestampType());
    if (!open()) {
      return false;
    }
    boolean more = records.next();
    while (more) {
      more = records.next();
    }
    boolean readable = records.finish() || unreadable();
    reader.release();
    return readable;
  }

  /** Checks a batch and appends its records; false if the batch or the call is refused. */
  boolean rebuild(int start, byte magic) {
    header.read(call.source, start, call.verdict.batchBytes());
    if (!rebuildMagicMismatch(magic)
        || !BatchRules.checkBeforeChecksum(header, call.policy, call.verdict)) {
      return false;
    }
    if (magic != BatchLayout.MAGIC_V2) {
      boolean accepted = message.rebuild(start);
      codec = message.codec();
      return accepted ? add(message.declaredBytes()) : refuseIfReadFirst();
    }
    if (!BatchRules.checkAfterChecksum(header, call.policy, call.verdict)) {
      return false;
    }
    codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    call.verdict.header(codec, header.isControl(), call.policy.target().timestampType());
    writer.producer(header);
    recordRules.begin(header, call.policy, false, call.nowMs);
    looksAtContent = topicChecks.begin(header, call.policy, writer.isWriting(), call.verdict);
    if (looksAtContent) {
      content.begin(call.policy.topicRules());
    }
    boolean accepted = open() && (header.recordCount() == 0 ? checkOpened() : walk());
    reader.release();
    return accepted ? add(records.declaredBytes()) : refuseIfReadFirst();
  }

  private boolean rebuildMagicMismatch(byte magic) {
    if (first) {
      first = false;
      firstMagic = magic;
    }
    return magic == firstMagic
        || call.verdict.refuse(Reason.REBUILD_MAGIC_MISMATCH, 0, magic, firstMagic);
  }

  /** Adds an accepted batch to the totals of the verdict; false if the call is refused. */
  private boolean add(long declared) {
    recordCount += call.verdict.recordCount();
    plainBytes += call.verdict.plainBytes();
    declaredBytes += declared;
    maxTimestamp = Math.max(maxTimestamp, call.verdict.maxTimestamp());
    call.verdict.walk().records(recordCount, plainBytes, maxTimestamp);
    call.verdict.walk().declared(declaredBytes);
    return !call.readsAllFirst || !writer.fault().isSet() || refuseUnwritable();
  }

  /** Lets an earlier fault of the writer decide if Kafka reads all records first. Always false. */
  private boolean refuseIfReadFirst() {
    return call.readsAllFirst && writer.fault().isSet() && refuseUnwritable();
  }

  /** Refuses the batch for the fault of the writer. */
  boolean refuseUnwritable() {
    Fault found = writer.fault();
    Reason why = Objects.requireNonNull(found.reason());
    return call.verdict.refuse(why, 0, found.first(), found.second(), found.cause());
  }

  private boolean open() {
    if (!openPayload()) {
      return false;
    }
    if (codec == Codec.NONE) {
      records.openStored(reader.window(), header.recordCount(), reader.length(), call.limits);
    } else {
      records.open(reader.window(), header.recordCount(), call.limits);
    }
    return true;
  }

  private boolean openPayload() {
    int from = header.start() + BatchLayout.HEADER_BYTES;
    return reader
        .select(call.source, from, header.sizeInBytes() - BatchLayout.HEADER_BYTES)
        .open(codec, call.limits, StreamChecks.KAFKA, call.verdict);
  }

  /** For a batch with zero records, Kafka opens the stream but reads nothing. */
  private boolean checkOpened() {
    call.verdict.walk().records(0, 0, recordRules.maxTimestamp());
    return call.readsAllFirst
        || reader.window().failure() != Reason.CODEC_HEADER_INVALID
        || FaultLocator.unreadable(records, codec, call.verdict);
  }

  /**
   * Reads, checks and appends each record. Kafka looks for further bytes before it returns the last
   * record, so a fault there outweighs a failure of that record. That step may overwrite the
   * record, so the record is appended first.
   */
  private boolean walk() {
    logAppendTime = header.isLogAppendTime();
    baseTimestamp = header.baseTimestamp();
    batchTimestamp = header.maxTimestamp();
    int last = call.readsAllFirst ? NONE : header.recordCount() - 1;
    while (records.next()) {
      boolean isLast = records.index() == last;
      checkContent();
      if (isLast) {
        append();
        if (!records.finish()) {
          break;
        }
      }
      check();
      if (!isLast) {
        append();
      }
    }
    boolean readable = records.finish();
    call.verdict
        .walk()
        .records(records.index() + 1, reader.window().plainPosition(), recordRules.maxTimestamp());
    if (!readable) {
      if (call.readsAllFirst) { // Kafka reads all records before it checks the first
        call.verdict.walk().forgetFailures();
      }
      return unreadable();
    }
    return call.verdict.reason() == null || FaultLocator.ofRecord(header, call.verdict);
  }

  /** Applies the rules of the topic after all else has passed; false if they refuse. */
  boolean enforceTopic() {
    return call.verdict.enforceTopic() || FaultLocator.ofRecord(header, call.verdict);
  }

  /**
   * Refuses a batch whose records cannot be read. Kafka's full reader does not stop at the end of
   * an uncompressed record, and may meet another fault after it. A second walk finds that fault. It
   * finds none if the first walk had no memory for a record.
   */
  private boolean unreadable() {
    FaultLocator.unreadable(records, codec, call.verdict);
    if (codec == Codec.NONE) {
      reader.release();
      openPayload();
      plainRecords.openStored(reader.window(), header.recordCount(), reader.length(), call.limits);
      boolean more = plainRecords.next();
      while (more) {
        more = plainRecords.next();
      }
      if (!plainRecords.finish()) {
        FaultLocator.unreadable(plainRecords, codec, call.verdict);
      }
    }
    return false;
  }

  /**
   * Checks the record. If Kafka reads all records first, it checks none after one it cannot write.
   */
  private void check() {
    if ((!call.readsAllFirst || !writer.fault().isSet())
        && !recordRules.check(
            records.index(),
            records.start(),
            records.timestampDelta(),
            records.keySize(),
            call.verdict)) {
      call.verdict
          .failures()
          .complete(records.offsetDelta(), records.keySize(), records.valueSize());
    }
  }

  private void checkContent() {
    if (looksAtContent) {
      content.whole(
          records.array(),
          records.keyPosition(),
          records.valuePosition(),
          records.headersPosition(),
          records.end(),
          records.headerCount());
      topicChecks.check(records, content);
    }
  }

  private void append() {
    if (call.verdict.reason() == null) {
      long own = baseTimestamp + records.timestampDelta();
      writer.append(records, logAppendTime ? batchTimestamp : own);
    }
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return records.heapBytes() + message.heapBytes() + content.heapBytes();
  }
}
