// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import io.github.batchvalidator.internal.check.BatchRules;
import io.github.batchvalidator.internal.check.FaultLocator;
import io.github.batchvalidator.internal.check.MissingCodec;
import io.github.batchvalidator.internal.check.RecordRules;
import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Payload;
import io.github.batchvalidator.internal.codec.PayloadDecoder;
import io.github.batchvalidator.internal.format.BatchHeader;
import io.github.batchvalidator.internal.format.BatchLayout;
import io.github.batchvalidator.internal.format.Checksums;
import io.github.batchvalidator.internal.scan.RecordIterator;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.internal.verdict.MutableVerdict;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Reads and checks one batch after the other for {@link RebuildEngine} and hands its records to a
 * {@link BatchWriter}. Confined to one thread.
 */
final class SourceBatch {
  private static final int NONE = -1;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final MutableVerdict NOBODY = new MutableVerdict(0);

  private final Decoders decoders;
  private final Checksums checksums;
  private final BatchWriter writer;
  private final BatchHeader header = new BatchHeader();
  private final Payload payload = new Payload();
  private final ByteWindow window = new ByteWindow();
  private final RecordIterator records = new RecordIterator();
  private final SkipKeyValueIterator plainRecords = new SkipKeyValueIterator();
  private final RecordRules recordRules = new RecordRules();
  private final SourceMessage message;

  private ByteBuffer source = NOTHING;
  private Policy policy = Policy.STORED;
  private Limits limits = Limits.UNBOUNDED_AS_KAFKA;
  private Limits bounded = Limits.UNBOUNDED_AS_KAFKA;
  private Limits largest = Limits.UNBOUNDED_AS_KAFKA;
  private long nowMs;
  private boolean converting;
  private MutableVerdict verdict = NOBODY;

  private boolean first;
  private byte firstMagic;
  private Codec codec = Codec.NONE;
  private int recordCount;
  private long plainBytes;
  private long declaredBytes;
  private long maxTimestamp;
  private boolean logAppendTime;
  private long baseTimestamp;
  private long batchTimestamp;

  SourceBatch(Decoders decoders, Checksums checksums, BatchWriter writer) {
    this.decoders = decoders;
    this.checksums = checksums;
    this.writer = writer;
    message = new SourceMessage(decoders, payload, window, recordRules, writer);
  }

  /** Starts on the batches of a buffer; converting if Kafka lists all records of each first. */
  void begin(ByteBuffer buffer, Policy by, long now, boolean isConverting, MutableVerdict to) {
    source = buffer;
    policy = by;
    limits = isConverting ? withLargestRecordBytes(by.limits()) : by.limits();
    nowMs = now;
    converting = isConverting;
    verdict = to;
    message.begin(isConverting);
    first = true;
    recordCount = 0;
    plainBytes = 0;
    declaredBytes = 0;
    maxTimestamp = Long.MIN_VALUE;
  }

  /**
   * Where Kafka lists all records of a batch first, it knows no bound on one of them but the
   * largest, and that only in lines that have bounds.
   */
  private Limits withLargestRecordBytes(Limits of) {
    if (of.recordBytes() == Limits.UNLIMITED) {
      return of;
    }
    if (!of.equals(bounded)) {
      bounded = of;
      largest = of.withRecordBytes(Limits.LARGEST_RECORD_BYTES);
    }
    return largest;
  }

  /** Lets go of the buffer. */
  void end() {
    source = NOTHING;
    verdict = NOBODY;
    payload.clear();
    window.clear();
    records.release();
  }

  /** Returns the codec of the last batch. */
  Codec codec() {
    return codec;
  }

  /** Makes the checks of a batch that need none of its records; false if it is refused. */
  boolean checkAsCaller(int start) {
    header.read(source, start);
    return BatchRules.checkBeforeChecksum(header, policy, verdict)
        && BatchRules.checkChecksum(header, source, checksums, policy, verdict);
  }

  /** Reads every record of a batch; false if one cannot be read. */
  boolean read(int start, byte magic) {
    header.read(source, start);
    if (magic != BatchLayout.MAGIC_V2) {
      return message.read(source, start, limits, verdict);
    }
    if (header.sizeInBytes() < BatchLayout.HEADER_BYTES) {
      return verdict.refuse(Reason.BATCH_HEADER_INCOMPLETE, 0, header.sizeInBytes(), 0);
    }
    if (header.recordCount() == 0) {
      return true;
    }
    if (!BatchRules.batchCodecUnknown(header.codecId(), verdict)) {
      return false;
    }
    codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    verdict.header(codec, header.isControl(), policy.target().timestampType());
    if (!open()) {
      return false;
    }
    boolean more = records.next();
    while (more) {
      more = records.next();
    }
    boolean readable = records.finish() || unreadable();
    release();
    return readable;
  }

  /** Checks a batch and appends its records; false if it, or the call, is refused. */
  boolean rebuild(int start, byte magic) {
    header.read(source, start);
    if (!rebuildMagicMismatch(magic) || !BatchRules.checkBeforeChecksum(header, policy, verdict)) {
      return false;
    }
    if (magic != BatchLayout.MAGIC_V2) {
      codec = message.codec(source, start);
      boolean accepted = message.rebuild(source, start, policy, limits, nowMs, verdict);
      return accepted ? add(message.declaredBytes()) : refuseIfConverting();
    }
    if (!BatchRules.checkAfterChecksum(header, policy, verdict)) {
      return false;
    }
    codec = Objects.requireNonNull(Codec.byId(header.codecId()));
    verdict.header(codec, header.isControl(), policy.target().timestampType());
    writer.producer(header);
    recordRules.begin(header, policy, false, nowMs);
    boolean accepted = open() && (header.recordCount() == 0 ? checkOpened() : walk());
    release();
    return accepted ? add(records.declaredBytes()) : refuseIfConverting();
  }

  private boolean rebuildMagicMismatch(byte magic) {
    if (first) {
      first = false;
      firstMagic = magic;
    }
    return magic == firstMagic
        || verdict.refuse(Reason.REBUILD_MAGIC_MISMATCH, 0, magic, firstMagic);
  }

  /** Adds a batch that is accepted to what the verdict tells of all until then. */
  private boolean add(long declared) {
    recordCount += verdict.recordCount();
    plainBytes += verdict.plainBytes();
    declaredBytes += declared;
    maxTimestamp = Math.max(maxTimestamp, verdict.maxTimestamp());
    verdict.records(recordCount, plainBytes, maxTimestamp);
    verdict.declared(declaredBytes);
    return !converting || writer.failure() == null || refuseUnwritable();
  }

  /** What the writer stumbled over comes before what was found behind it, if Kafka writes then. */
  private boolean refuseIfConverting() {
    return converting && writer.failure() != null && refuseUnwritable();
  }

  /** Refuses for what the writer stumbled over. */
  boolean refuseUnwritable() {
    verdict.refuse(
        Objects.requireNonNull(writer.failure()), 0, writer.failureFirst(), writer.failureSecond());
    verdict.cause(writer.cause());
    return false;
  }

  private boolean open() {
    if (!openPayload()) {
      return false;
    }
    if (codec == Codec.NONE) {
      records.openStored(window, header.recordCount(), payload.length(), limits);
    } else {
      records.open(window, header.recordCount(), limits);
    }
    return true;
  }

  private boolean openPayload() {
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder == null) {
      return MissingCodec.refuse(codec, decoders, verdict);
    }
    payload.wrap(source, recordsAt(), header.sizeInBytes() - BatchLayout.HEADER_BYTES);
    decoder.open(payload, limits, window);
    return true;
  }

  private int recordsAt() {
    return header.start() + BatchLayout.HEADER_BYTES;
  }

  private void release() {
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder != null) {
      decoder.release();
    }
  }

  /** For a batch with zero records, Kafka opens the stream but reads nothing. */
  private boolean checkOpened() {
    verdict.records(0, 0, recordRules.maxTimestamp());
    return converting
        || window.failure() != Reason.CODEC_HEADER_INVALID
        || FaultLocator.unreadable(records, codec, verdict);
  }

  /**
   * Reads, checks and appends each record. Kafka looks behind the last one before it hands it out,
   * so that a fault there comes before what a check would find. To look there may overwrite the
   * record, which is thus appended first.
   */
  private boolean walk() {
    logAppendTime = header.isLogAppendTime();
    baseTimestamp = header.baseTimestamp();
    batchTimestamp = header.maxTimestamp();
    int last = converting ? NONE : header.recordCount() - 1;
    while (records.next()) {
      boolean isLast = records.index() == last;
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
    verdict.records(records.index() + 1, window.plainPosition(), recordRules.maxTimestamp());
    if (!readable) {
      if (converting) { // Kafka lists all records before it checks the first
        verdict.forgetFailures();
      }
      return unreadable();
    }
    return verdict.reason() == null || FaultLocator.ofRecord(header, codec, verdict);
  }

  /**
   * Refuses a batch whose records cannot be read. Kafka's full reader does not stop at the end of
   * an uncompressed record, and may meet another fault after it. A second walk finds that fault. It
   * finds none if the first walk had no memory for a record.
   */
  private boolean unreadable() {
    FaultLocator.unreadable(records, codec, verdict);
    if (codec == Codec.NONE) {
      release();
      openPayload();
      plainRecords.openStored(window, header.recordCount(), payload.length(), limits);
      boolean more = plainRecords.next();
      while (more) {
        more = plainRecords.next();
      }
      if (!plainRecords.finish()) {
        FaultLocator.unreadable(plainRecords, codec, verdict);
      }
    }
    return false;
  }

  /** Where Kafka lists all records first, it looks at none behind one that it cannot write. */
  private void check() {
    if ((!converting || writer.failure() == null)
        && !recordRules.check(
            records.index(),
            records.start(),
            records.timestampDelta(),
            records.keySize(),
            verdict)) {
      verdict.failures().complete(records.offsetDelta(), records.keySize(), records.valueSize());
    }
  }

  private void append() {
    if (verdict.reason() == null) {
      long own = baseTimestamp + records.timestampDelta();
      writer.append(records, logAppendTime ? batchTimestamp : own);
    }
  }

  /** Lets go of the decoder that came last, too. */
  void close() {
    window.disconnect();
  }

  /** Returns the heap bytes held between batches. */
  long heapBytes() {
    return records.heapBytes() + message.heapBytes();
  }
}
