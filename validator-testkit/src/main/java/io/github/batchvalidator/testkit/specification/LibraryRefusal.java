// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static io.github.batchvalidator.testkit.specification.SpecificationDifference.REBUILD_AND_OTHER_FAULT;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.LineDifference;
import io.github.batchvalidator.lines.StoredBytes;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Reason;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A batch that stock and the library both reject. */
final class LibraryRefusal {
  private static final String SECOND_BATCH_AND_OTHER_FAULT = "SECOND_BATCH_AND_OTHER_FAULT";
  private static final String STREAM_AND_RECORD_AT_FAULT = "STREAM_AND_RECORD_AT_FAULT";

  /**
   * Faults that only a rebuild finds, beside the {@code REBUILD_} ones: it reads compressed records
   * in full, and writes them.
   */
  private static final Set<Reason> OF_REBUILDS =
      EnumSet.of(
          Reason.BATCH_CODEC_UNSUPPORTED,
          Reason.RECORD_TRUNCATED,
          Reason.RECORD_LENGTH_INVALID,
          Reason.RECORD_HEADER_COUNT_INVALID,
          Reason.RECORD_LENGTH_MISMATCH,
          Reason.RECORD_FIELD_BEYOND_END,
          Reason.CODEC_CHECKSUM_MISSING,
          Reason.CODEC_ENCODE_FAILED);

  /** The rules for headers. If nothing is compressed, a rebuild reads all records before them. */
  private static final Set<Reason> OF_HEADERS =
      EnumSet.range(Reason.BATCH_NOT_ALONE, Reason.BATCH_IDEMPOTENT_UNSUPPORTED);

  private final Append append;
  private final Answer stock;
  private final LibrarySide.Result ours;
  private final Reason reason;
  private final boolean mayStreamFail;

  /**
   * Creates a comparison.
   *
   * @param mayStreamFail true if the compressed stream may be at fault
   */
  LibraryRefusal(Append append, Answer stock, LibrarySide.Result ours, boolean mayStreamFail) {
    this.append = append;
    this.stock = stock;
    this.ours = ours;
    this.mayStreamFail = mayStreamFail;
    reason = Objects.requireNonNull(ours.reason());
  }

  /**
   * Returns true if the library has the error code of stock and, without a rebuild, its failing
   * records. Rules that Kafka lacks count only if Kafka accepts the batch.
   */
  boolean isLikeStock() {
    return !stock.crashed()
        && hasCodeOfStock(reason)
        && !reason.isFinding()
        && (ours.isRebuild() || ours.ofRebuild() != null || failing().equals(failingOfStock()));
  }

  /** A fault of the batch outweighs failures of records before it, which are kept. */
  private List<Integer> failing() {
    return ours.failures().containsValue(reason)
        ? List.copyOf(ours.failures().keySet())
        : List.of();
  }

  private List<Integer> failingOfStock() {
    return stock.recordErrors().stream()
        .map(error -> Integer.valueOf(error.substring(0, error.indexOf(' '))))
        .toList();
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
    if (ours.ofRebuild() != null && isOfRebuild() && hasCodeOfStock(ours.ofRebuild())) {
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
    return ErrorCodes.of(why) == stock.errorCode();
  }

  /** Returns true if an inspection does not find the fault of the rebuild, or finds it later. */
  private boolean isOfRebuild() {
    Reason other = Objects.requireNonNull(ours.ofRebuild());
    return OF_REBUILDS.contains(other)
        || other.name().startsWith("REBUILD_")
        || (other == Reason.BATCH_IDEMPOTENT_UNSUPPORTED && stock.crashed())
        || (other == Reason.CODEC_HEADER_INVALID && isWithoutRecords())
        || isReadBeforeHeader(other);
  }

  /** An inspection does not open the stream of such a batch. */
  private boolean isWithoutRecords() {
    ModelBatch batch = new ModelBatch(append.bytes(), 0);
    return batch.isWhole() && batch.magic() == 2 && batch.count() == 0;
  }

  private boolean isReadBeforeHeader(Reason other) {
    boolean isRuleOfKafka = !other.isFinding() && !other.isLimit();
    return append.settings().source() == Codec.NONE
        && append.settings().target() == Codec.NONE
        && OF_HEADERS.contains(reason)
        && !OF_HEADERS.contains(other)
        && isRuleOfKafka;
  }

  /** Returns true if one side reports the compressed stream, and the other side a record. */
  private boolean isStreamOrRecord() {
    int here = ErrorCodes.of(reason);
    int there = stock.errorCode();
    return mayStreamFail
        && !reason.isFinding()
        && append.settings().source() != Codec.NONE
        && (here == ErrorCodes.UNKNOWN_SERVER_ERROR
            ? there == ErrorCodes.INVALID_RECORD
            : here == ErrorCodes.INVALID_RECORD && there == ErrorCodes.UNKNOWN_SERVER_ERROR);
  }

  private @Nullable String ofCrash(Reason why) {
    String text = Objects.requireNonNull(stock.thrown()).text();
    if (text.contains("MemoryRecordsBuilder.")) {
      return isOfBuilder(why, text) ? "BUILDER_REFUSES" : null;
    }
    if (text.contains("LegacyRecord.toString")) {
      return ours.failures().containsValue(Reason.RECORD_MAGIC_MISMATCH)
              || ours.failures().containsValue(Reason.RECORD_TIMESTAMP_TYPE_INVALID)
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
          why.answer() == Reason.Answer.DECODE_FAILURE
                  && why.name().startsWith("CODEC_")
                  && LineDifference.isCodecFailure(text)
              ? "CODEC_FAILURE_UNWRAPPED"
              : null;
    };
  }

  /** Returns the row if the library reports another fault than the one that crashes stock. */
  private @Nullable String ofCrashAndOtherFault() {
    String text = Objects.requireNonNull(stock.thrown()).text();
    if (ours.ofRebuild() != null && isOfRebuild() && ofCrash(ours.ofRebuild()) != null) {
      return REBUILD_AND_OTHER_FAULT.name();
    }
    if (isOfSecondBatch()) { // of magic 0 or 1, with a codec id that Kafka does not know
      return named(text, "LegacyRecord.compressionType", SECOND_BATCH_AND_OTHER_FAULT);
    }
    boolean isOfCodec =
        text.contains("SnappyError")
            || (ours.ofRebuild() != null && ofCrash(ours.ofRebuild()) != null);
    return isOfCodec && isStreamOrRecord() ? STREAM_AND_RECORD_AT_FAULT : null;
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
