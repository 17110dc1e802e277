// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static io.github.batchvalidator.testkit.specification.SpecificationDifference.REBUILD_AND_OTHER_FAULT;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A batch that stock and the library both reject. */
final class LibraryRefusal {
  private static final String SECOND_BATCH_AND_OTHER_FAULT = "SECOND_BATCH_AND_OTHER_FAULT";
  private static final String STREAM_AND_RECORD_AT_FAULT = "STREAM_AND_RECORD_AT_FAULT";
  private static final int NO_CODE = -1;
  private static final Map<Reason.Answer, Integer> CODES =
      Map.of(
          Reason.Answer.INVALID_RECORD, 87,
          Reason.Answer.CORRUPT_MESSAGE, 2,
          Reason.Answer.INVALID_TIMESTAMP, 32,
          Reason.Answer.MESSAGE_TOO_LARGE, 10,
          Reason.Answer.UNSUPPORTED_FORMAT, 43,
          Reason.Answer.DECODE_FAILURE, NO_CODE,
          Reason.Answer.TRY_AGAIN, 7);

  private final Append append;
  private final Answer stock;
  private final Reason reason;
  private final @Nullable Reason ofRebuild;
  private final Collection<Reason> ofRecords;

  LibraryRefusal(Append append, Answer stock, LibrarySide.Result ours) {
    this.append = append;
    this.stock = stock;
    reason = Objects.requireNonNull(ours.reason());
    ofRebuild = ours.ofRebuild();
    ofRecords = ours.failures().values();
  }

  /** Returns true if the library has the error code of stock. */
  boolean isLikeStock() {
    return !stock.crashed() && hasCodeOfStock(reason);
  }

  /** Returns true if a rebuild exceeds a limit, for a batch that the inspection rejects as well. */
  boolean isLimitOfRebuild() {
    return ofRebuild != null && ofRebuild.name().startsWith("LIMIT_");
  }

  /** Returns the row of docs/compatibility.md that explains another answer, or null. */
  @Nullable String row() {
    if (stock.crashed()) {
      String row = ofCrash(reason);
      return row == null ? ofCrashAndOtherFault() : row;
    }
    if (isOfSecondBatch()) {
      return SECOND_BATCH_AND_OTHER_FAULT;
    }
    if (reason == Reason.BATCH_HEADER_INCOMPLETE && isOfCutHeader()) {
      return "HEADER_CUT";
    }
    if (ofRebuild != null && hasCodeOfStock(ofRebuild)) {
      return REBUILD_AND_OTHER_FAULT.name();
    }
    return isStreamOrRecord() ? STREAM_AND_RECORD_AT_FAULT : null;
  }

  private boolean isOfCutHeader() {
    String name = StoredBytes.refusalOfCutHeader(append);
    return name != null && stock.threw(name);
  }

  private boolean isOfSecondBatch() {
    byte[] bytes = append.bytes();
    return new ModelBatch(bytes, 0).size < bytes.length
        && (reason == Reason.BATCH_NOT_ALONE || reason.name().startsWith("FRAMING_"));
  }

  private boolean hasCodeOfStock(Reason why) {
    return CODES.getOrDefault(why.answer(), 0) == stock.errorCode();
  }

  /** Returns true if one side reports the compressed stream, and the other side a record. */
  private boolean isStreamOrRecord() {
    boolean isStreamHere = reason.answer() == Reason.Answer.DECODE_FAILURE;
    boolean isStreamThere = stock.errorCode() == NO_CODE;
    return append.settings().source() != Codec.NONE && isStreamHere != isStreamThere;
  }

  private @Nullable String ofCrash(Reason why) {
    String text = Objects.requireNonNull(stock.thrown()).text();
    if (text.contains("MemoryRecordsBuilder.")) {
      return isOfBuilder(why, text) ? "BUILDER_REFUSES" : null;
    }
    if (text.contains("LegacyRecord.toString")) {
      return ofRecords.contains(Reason.RECORD_MAGIC_MISMATCH)
              || ofRecords.contains(Reason.RECORD_TIMESTAMP_TYPE_INVALID)
          ? "LEGACY_RECORD_WITHOUT_TEXT"
          : null;
    }
    return switch (why) {
      case RECORD_OFFSET_UNEXPECTED ->
          named(text, "UnsupportedOperation", "OFFSETS_NOT_SEQUENTIAL");
      case BATCH_HEADER_INCOMPLETE -> named(text, "DefaultRecordBatch.", "HEADER_CUT");
      case BATCH_FIELD_BEYOND_END, RECORD_FIELD_BEYOND_END ->
          named(text, "LegacyRecord.", "LEGACY_FIELD_BEYOND_END");
      case BATCH_CODEC_UNKNOWN, RECORD_COMPRESSED ->
          named(text, "Unknown compression type id", "CODEC_ID_UNKNOWN");
      case FRAMING_LENGTH_OVERFLOW ->
          named(text, "ByteBufferLogInputStream.nextBatch", "LENGTH_NEAR_OVERFLOW");
      case RECORD_VARINT_TOO_LONG -> named(text, "Varint is too long", "PLAIN_LENGTH_ENDLESS");
      default ->
          why.answer() == Reason.Answer.DECODE_FAILURE && why.name().startsWith("CODEC_")
              ? "CODEC_FAILURE_UNWRAPPED"
              : null;
    };
  }

  /** Returns the row if the library reports another fault than the one that crashes stock. */
  private @Nullable String ofCrashAndOtherFault() {
    String text = Objects.requireNonNull(stock.thrown()).text();
    if (ofRebuild != null && ofCrash(ofRebuild) != null) {
      return REBUILD_AND_OTHER_FAULT.name();
    }
    if (isOfSecondBatch()) { // of magic 0 or 1, with a codec id that Kafka does not know
      return named(text, "LegacyRecord.compressionType", SECOND_BATCH_AND_OTHER_FAULT);
    }
    return isStreamOrRecord() ? named(text, "SnappyError", STREAM_AND_RECORD_AT_FAULT) : null;
  }

  private static @Nullable String named(String text, String sign, String row) {
    return text.contains(sign) ? row : null;
  }

  /**
   * Kafka makes the builder before it looks at the header of the batch, and compares producer and
   * magic when it closes the builder.
   */
  private static boolean isOfBuilder(Reason why, String text) {
    boolean isOfHeader = why.name().startsWith("BATCH_") && why.level() == Level.KAFKA;
    return why.name().startsWith("REBUILD_")
        || (isOfHeader && text.contains("MemoryRecordsBuilder.<init>"))
        || (why == Reason.BATCH_IDEMPOTENT_UNSUPPORTED
            && text.contains("MemoryRecordsBuilder.validateProducerState"));
  }
}
