// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.ClientTexts;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import io.github.batchvalidator.testing.RecordBytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/** Appends, and answers that judges have to tell apart. */
final class Answers {
  static final StockLine LINE = line(KafkaLine.V4_3);

  private Answers() {}

  /** Returns a line whose reader is asked for nothing. */
  static StockLine line(KafkaLine line) {
    return new StockLine() {
      @Override
      public KafkaLine line() {
        return line;
      }

      @Override
      public boolean same(byte[] one, byte[] other) {
        return Arrays.equals(one, other);
      }
    };
  }

  static void assertOutcome(String outcome, Judgment judgment) {
    assertNull(judgment.difference());
    assertEquals(outcome, judgment.outcome());
  }

  static void assertDiffers(Judgment judgment) {
    assertNotNull(judgment.difference(), judgment::toString);
  }

  /** Returns a section with settings: names and values in turn. */
  static ModelSection section(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return new ModelSection("s", all);
  }

  /** Returns an append to a topic that stores the codec of the producer. */
  static Append append(Codec codec, byte[] bytes) {
    return new Append(bytes, BufferKind.HEAP, Settings.of(codec, Batches.nowMs()));
  }

  /** Returns an append to a topic that stores another codec or magic. */
  static Append rebuilt(Codec source, Codec target, int toMagic, byte[] bytes) {
    return append(source, target, toMagic, Settings.NO_LIMIT, bytes);
  }

  /** Returns an append of a record that declares one byte and takes more, with a limit of each. */
  static Append declaringOneByte(int recordLimit) {
    byte[] record = new RecordBytes().length(RecordBytes.varint(1, 1)).toBytes();
    byte[] batch = Batches.ofPlain(Codec.ZSTD, 1, record).array();
    return append(Codec.ZSTD, Codec.ZSTD, 2, recordLimit, batch);
  }

  private static Append append(
      Codec source, Codec target, int toMagic, int recordLimit, byte[] bytes) {
    Settings usual = Settings.of(source, Batches.nowMs());
    Settings settings =
        new Settings(
            usual.entry(),
            source,
            target,
            usual.level(),
            (byte) toMagic,
            TimestampType.CREATE_TIME,
            usual.beforeMs(),
            usual.afterMs(),
            usual.nowMs(),
            usual.compacted(),
            usual.origin(),
            usual.leaderEpoch(),
            usual.firstOffset(),
            recordLimit,
            usual.oldBrokers(),
            usual.caching());
    return new Append(bytes, BufferKind.HEAP, settings);
  }

  /** Returns what the model expects of an append. */
  static Expectation expected(ModelSection section, Append append, boolean isDamagedStream) {
    return Expectation.of(
        section,
        new ModelBatch(append.bytes(), 0),
        true,
        new ModelStrict.Situation(append.settings().client(), false, false, 0),
        isDamagedStream);
  }

  /** Returns an answer that stores bytes; {@code isSame} for those in the memory of the caller. */
  static Answer stored(Append append, byte[] bytes, boolean isSame) {
    return new Answer(
        null,
        0,
        List.of(),
        new ClientTexts(List.of()),
        List.of(),
        1000,
        append.bytes(),
        new Answer.Result(new Answer.Fields(-1, 0, false, 0, 0), isSame, bytes));
  }

  /** Returns a refusal in words of ours, which producers get. */
  static Answer refused(Append append, int code, String text) {
    return refused(append, code, text, List.of());
  }

  /** Returns a refusal of records, each of them an index and a text. */
  static Answer refused(Append append, int code, String text, List<String> records) {
    InvalidRecordException answered = new InvalidRecordException(text);
    RecordValidationException thrown = new RecordValidationException(answered, List.of());
    return refused(append, new Answer.Thrown(thrown, answered), code, records);
  }

  /** Returns a refusal by an exception of which producers get the error code only. */
  static Answer thrown(Append append, int code, RuntimeException thrown) {
    return refused(append, new Answer.Thrown(thrown, thrown), code, List.of());
  }

  private static Answer refused(
      Append append, Answer.Thrown thrown, int code, List<String> records) {
    List<String> texts =
        records.stream().map(record -> record.substring(record.indexOf(' ') + 1)).toList();
    return new Answer(
        thrown,
        code,
        records,
        ClientTexts.of(thrown.answered().getMessage(), texts),
        List.of(),
        1000,
        append.bytes(),
        null);
  }
}
