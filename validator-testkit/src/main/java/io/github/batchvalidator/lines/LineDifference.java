// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.lines.Answer.Part;
import io.github.batchvalidator.lines.LinePair.Outcome;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where our answer is not that of a line's stock validator, on purpose. Each constant is a row of
 * {@code docs/compatibility.md}, which says why, and has a test that pins both sides on each line.
 */
public enum LineDifference {
  /** Codec ids 5 to 7, of a batch or of a message within one. */
  CODEC_ID_UNKNOWN(
      outcome ->
          crash(outcome, "Unknown compression type id")
              || (outcome.stock().accepted()
                  && coded(outcome, "InvalidRecord")
                  && outcome.oursIsUntouched()
                  && StoredBytes.startsWithUnknownCodecOfNothing(outcome.append()))),
  /** A length field within 12 of its largest value. */
  LENGTH_NEAR_OVERFLOW(
      outcome -> crash(outcome, "ByteBufferLogInputStream.nextBatch") && coded(outcome, "Corrupt")),
  /** A batch that is shorter than its header. */
  HEADER_CUT(
      outcome ->
          coded(outcome, "CorruptRecord")
              && StoredBytes.isHeaderCut(outcome.append())
              && (((crash(outcome, "IndexOutOfBounds") || crash(outcome, "newPosition > limit"))
                      && crash(outcome, "DefaultRecordBatch."))
                  || stockThrew(outcome, StoredBytes.refusalOfCutHeader(outcome.append())))),
  /** The length of a record of an uncompressed batch does not end. */
  PLAIN_LENGTH_ENDLESS(
      outcome -> crash(outcome, "Varint is too long") && coded(outcome, "InvalidRecord")),
  /** In place: offsets of compressed records are not 0, 1, 2, ... */
  OFFSETS_NOT_SEQUENTIAL(
      outcome -> crash(outcome, "UnsupportedOperation") && coded(outcome, "InvalidRecord")),
  /** A codec library fails with something else than an {@code IOException}. */
  CODEC_FAILURE_UNWRAPPED(
      outcome ->
          crash(outcome, LineDifference::isCodecFailure) && coded(outcome, "KafkaException")),
  /** Fields of a message of magic 0 or 1 that do not fit in it. */
  LEGACY_FIELD_BEYOND_END(outcome -> crash(outcome, "LegacyRecord.")),
  /** The builder of new batches refuses what the validator let through. */
  BUILDER_REFUSES(outcome -> crash(outcome, "MemoryRecordsBuilder.")),
  /** Offsets cannot be written. */
  READ_ONLY_BUFFER(outcome -> crash(outcome, "ReadOnlyBuffer") && coded(outcome, "KafkaException")),
  /** In place: a record declares no more than the limit and takes more. */
  RECORD_LIMIT_BY_CONTENT(
      outcome ->
          outcome.line().hasRecordLimit()
              && coded(outcome, "InvalidRecord")
              && outcome.oursIsUntouched()
              && StoredBytes.takeMoreThanTheLimit(outcome.append())),
  /** An LZ4 block without content, which stock may treat as the end of the stream. */
  LZ4_BLOCK_BEHIND_EMPTY_BLOCK(
      outcome ->
          !outcome.ours().crashed()
              && (outcome.stock().thrown() != null || outcome.ours().thrown() != null)
              && Lz4Blocks.anyDecodesToNothing(outcome.append())),
  /** A control batch for a compressed topic whose log is of magic 0 or 1. */
  CONTROL_BATCH_IN_OLD_LOG(
      outcome ->
          StoredBytes.isControlBatchForOldLog(outcome.append())
              && stockKept(outcome)
              && oursRebuiltOrRefused(outcome)),
  /** The stored checksum was wrong before: it stays wrong, also if a later batch is refused. */
  WRONG_CHECKSUM_KEPT(
      outcome -> onlyCallerBytes(outcome) && StoredBytes.differInWrongChecksumOnly(outcome));

  @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
  private final Predicate<Outcome> explains;

  LineDifference(Predicate<Outcome> explains) {
    this.explains = explains;
  }

  /** Returns what explains a difference; null if nothing does. */
  public static @Nullable LineDifference of(Outcome outcome) {
    Answer.Thrown ours = outcome.ours().thrown();
    if (ours != null && ours.text().contains("fault of its own")) {
      return null;
    }
    for (LineDifference difference : values()) {
      if (difference.explains.test(outcome)) {
        return difference;
      }
    }
    return null;
  }

  /** Returns true if the {@linkplain Answer.Thrown#text() text} of a crash is a codec library's. */
  public static boolean isCodecFailure(String text) {
    return text.contains("SnappyError")
        || text.contains("NegativeArraySize")
        || text.contains("Lz4BlockInputStream");
  }

  private static boolean crash(Outcome outcome, String sign) {
    return crash(outcome, text -> text.contains(sign));
  }

  /** Stock came down in a way that has such a text, ours refused and wrote nothing more. */
  private static boolean crash(Outcome outcome, Predicate<String> isSuch) {
    Answer.Thrown stock = outcome.stock().thrown();
    return outcome.stock().crashed()
        && stock != null
        && isSuch.test(stock.text())
        && outcome.ours().thrown() != null
        && !outcome.ours().crashed()
        && onlyWhatStockWrote(outcome);
  }

  private static boolean stockThrew(Outcome outcome, @Nullable String name) {
    return name != null && outcome.stock().threw(name);
  }

  /** Returns true if stock keeps the batch, or fails because its records are read for that. */
  private static boolean stockKept(Outcome outcome) {
    Answer answer = outcome.stock();
    Answer.Result result = answer.result();
    return result == null
        ? answer.threw("ReadOnlyBufferException") || answer.threw("UnsupportedOperationException")
        : result.sameInstance();
  }

  private static boolean oursRebuiltOrRefused(Outcome outcome) {
    Answer.Result result = outcome.ours().result();
    return outcome.oursIsUntouched()
        && (result == null ? !outcome.ours().crashed() : !result.sameInstance());
  }

  private static boolean onlyWhatStockWrote(Outcome outcome) {
    Set<Part> differences = outcome.differences();
    return !differences.contains(Part.CALLER_BYTES)
        || outcome.oursIsUntouched()
        || StoredBytes.differInWrongChecksumOnly(outcome);
  }

  /** Returns true if there is no result, or if the result is in the caller's memory. */
  private static boolean onlyCallerBytes(Outcome outcome) {
    Answer.Result stored = outcome.stock().result();
    Set<Part> bytes =
        stored == null
            ? EnumSet.of(Part.CALLER_BYTES)
            : EnumSet.of(Part.CALLER_BYTES, Part.RESULT_BYTES);
    return outcome.differences().equals(bytes) && (stored == null || stored.sameInstance());
  }

  private static boolean coded(Outcome outcome, String name) {
    Answer.Thrown ours = outcome.ours().thrown();
    return ours != null && ours.type().contains(name);
  }
}
