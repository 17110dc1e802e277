// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The texts of topic rules, on each line. A broker sends the text of a {@code
 * RecordValidationException} to the producer, and the texts of its records. Of any other exception
 * it sends the error code only.
 */
class TopicTextIT {
  private static final String RULES =
      """
      topics.orders.match=topic
      topics.orders.codecs=lz4, zstd
      topics.orders.headers.required=traceparent, span
      topics.orders.headers.forbidden=debug
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void codecsAndHeadersAreNamedAsInThePolicyFile(KafkaLine line) throws Exception {
    Path file = folder.resolve("policy.properties");
    Files.writeString(file, RULES);
    DropInSide side = new DropInSide(line, file);
    String codec = "Batch for topic-3 is refused: the topic does not allow codec id 2 (snappy)";
    assertEquals(List.of(codec), texts(side, Codec.SNAPPY, "traceparent", "span"));
    List<String> missing = texts(side, Codec.LZ4, "traceparent");
    assertEquals("the record lacks required header \"span\" of the topic", missing.get(1));
    List<String> forbidden = texts(side, Codec.LZ4, "traceparent", "span", "debug");
    assertEquals("the record has forbidden header \"debug\" of the topic", forbidden.get(1));
  }

  private static List<String> texts(DropInSide side, Codec codec, String... headers) {
    Header[] all = new Header[headers.length];
    for (int i = 0; i < headers.length; i++) {
      all[i] = new RecordHeader(headers[i], new byte[] {'v'});
    }
    byte[] value = {'v'};
    SimpleRecord record = new SimpleRecord(Batches.nowMs(), value, value, all);
    byte[] batch = Batches.copy(Batches.of(codec, record)).array();
    Settings settings = Settings.of(codec, Batches.nowMs());
    Answer answer = side.ours(new Append(batch, BufferKind.SLICED, settings), "topic");
    assertTrue(answer.threw("RecordValidationException"), answer::toString);
    return answer.texts().all();
  }
}
