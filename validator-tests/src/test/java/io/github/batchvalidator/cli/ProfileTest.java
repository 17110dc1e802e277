// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Profiles of topics, printed by {@code ./check profile}. */
class ProfileTest {
  private static final byte[] KEY = {'k'};

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(Object... arguments) {
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    return CheckCommand.commandLine(() -> false, words)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }

  private static SimpleRecord[] records(
      byte @Nullable [] key, byte @Nullable [] value, Header... headers) {
    return new SimpleRecord[] {
      new SimpleRecord(Batches.nowMs(), key, value, headers),
      new SimpleRecord(Batches.nowMs() + 5, key, value, headers)
    };
  }

  private void write(String partition, List<SimpleRecord[]> batches) throws IOException {
    write(partition, batches, Codec.LZ4);
  }

  /** Writes a log whose last batch may have another codec. */
  private void write(String partition, List<SimpleRecord[]> batches, Codec last)
      throws IOException {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    long offset = 0;
    for (int i = 0; i < batches.size(); i++) {
      SimpleRecord[] records = batches.get(i);
      Codec codec = i == batches.size() - 1 ? last : Codec.LZ4;
      ByteBuffer batch = HeaderField.BASE_OFFSET.set(Batches.of(codec, records), offset);
      log.writeBytes(Batches.copy(batch).array());
      offset += records.length;
    }
    Path file = Files.createDirectories(folder.resolve(partition)).resolve("0.log");
    Files.write(file, log.toByteArray());
  }

  private static byte[] confluent(int id) {
    return ByteBuffer.allocate(9).put((byte) 0).putInt(id).array();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Header header(String key) {
    return new RecordHeader(key, new byte[0]);
  }

  /** Returns the header with the id 7 of the schema of a value. */
  private static Header schemaHeader() {
    return new RecordHeader("__value_schema_id", new byte[] {0, 0, 0, 0, 7});
  }

  private List<String> outliers() {
    return out.toString().lines().filter(line -> line.contains("OUTLIER")).toList();
  }

  private List<String> proposed() {
    return out.toString()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("topics."))
        .toList();
  }

  @Test
  void describesATopicAndProposesItsRules() throws Exception {
    Header trace = new RecordHeader("trace", new byte[3]);
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      batches.add(records(KEY, confluent(i % 2 == 0 ? 7 : 9), trace));
    }
    write("orders-0", batches);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    String printed = out.toString();
    assertTrue(printed.contains("topic orders: 12 batches, 24 records"), printed);
    assertTrue(printed.contains("schema ids of values: payload 7 (12), payload 9 (12)"), printed);
    assertTrue(printed.contains("headers: trace (24)"), printed);
    assertTrue(printed.contains("bytes of values: 9 to 9"), printed);
    assertFalse(printed.contains("OUTLIER"), printed);
    List<String> section = proposed();
    assertTrue(section.contains("topics.orders.value.schema=payload"), section::toString);
    assertTrue(section.contains("topics.orders.value.schema.ids=7, 9"), section::toString);
    assertTrue(section.contains("topics.orders.headers.required=trace"), section::toString);
    Path file = Files.write(folder.resolve("policy"), section);
    assertEquals("orders", PolicyFile.load(file).sectionOf("orders").name());
    assertEquals(CheckCommand.CLEAN, check("--policy", file, folder));
  }

  @Test
  void oneBatchIsNotCalledBatches() throws Exception {
    write("orders-0", List.<SimpleRecord[]>of(records(KEY, text("{}"))));
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    assertTrue(out.toString().contains("topic orders: 1 batch, 2 records"), out::toString);
  }

  /** A batch of another topic, as CVE-2026-35554 lets producers send it. */
  @Test
  void aMisroutedBatchIsAnOutlier() throws Exception {
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batches.add(i == 13 ? records(KEY, confluent(7)) : records(KEY, text("{}")));
    }
    write("events-0", batches);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    List<String> outliers = outliers();
    assertEquals(2, outliers.size(), out::toString);
    assertTrue(outliers.get(0).contains("value starts with confluent"), outliers::toString);
    assertTrue(outliers.get(0).endsWith("offset 26"), outliers::toString);
    assertTrue(outliers.get(0).contains("events-0"), outliers::toString);
    assertTrue(outliers.get(1).contains("schema id of value payload 7"), outliers::toString);
    assertTrue(out.toString().contains("topics.events.value.starts=json-object"), out::toString);
  }

  @Test
  void aSchemaIdOfOneBatchPreventsNoSchemaRule() throws Exception {
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batches.add(records(KEY, confluent(i == 13 ? 99 : 7)));
    }
    write("orders-0", batches);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    List<String> outliers = outliers();
    assertEquals(1, outliers.size(), out::toString);
    assertTrue(outliers.get(0).contains("schema id of value payload 99"), outliers::toString);
    assertFalse(out.toString().contains("schema ids of keys"), out::toString);
    List<String> section = proposed();
    assertTrue(section.contains("topics.orders.value.schema=payload"), section::toString);
    assertTrue(section.contains("topics.orders.value.schema.ids=7"), section::toString);
  }

  /** One batch has another first byte, and one has no schema id. */
  @Test
  void aBatchWithoutASchemaIdIsAnOutlier() throws Exception {
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      batches.add(records(KEY, text("{}"), schemaHeader()));
    }
    batches.add(records(KEY, text("x"), schemaHeader()));
    batches.add(records(KEY, text("{}")));
    write("orders-0", batches);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    List<String> outliers = outliers();
    assertEquals(2, outliers.size(), out::toString);
    assertTrue(outliers.get(0).contains("value starts with hex:78"), outliers::toString);
    assertTrue(outliers.get(1).contains("schema id of value (none)"), outliers::toString);
    assertTrue(outliers.get(1).endsWith("offset 38"), outliers::toString);
    List<String> section = proposed();
    assertTrue(section.contains("topics.orders.value.schema=header"), section::toString);
  }

  @Test
  void schemaIdsOfNullAreNotCounted() throws Exception {
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      batches.add(records(KEY, null, schemaHeader()));
      batches.add(records(KEY, text("{}")));
    }
    write("orders-0", batches);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    assertFalse(out.toString().contains("schema ids"), out::toString);
    assertFalse(out.toString().contains("value.schema"), out::toString);
  }

  @Test
  void theCodecOfOneBatchIsAllowed() throws Exception {
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batches.add(records(KEY, text("{}")));
    }
    write("orders-0", batches, Codec.NONE);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    List<String> section = proposed();
    assertTrue(section.contains("topics.orders.codecs=lz4, none"), section::toString);
    List<String> enforced =
        section.stream().map(line -> line.replace("observe=true", "observe=false")).toList();
    Path file = Files.write(folder.resolve("policy"), enforced);
    assertEquals(CheckCommand.CLEAN, check("--policy", file, folder), out::toString);
  }

  @Test
  void onlyHeadersThatARuleMayHaveAreProposed() throws Exception {
    Header[] many =
        IntStream.rangeClosed(0, TopicRules.MAX_HEADERS)
            .mapToObj(i -> header("h" + i))
            .toArray(Header[]::new);
    write("many-0", List.<SimpleRecord[]>of(records(KEY, text("{}"), many)));
    String longest = "a".repeat(TopicRules.MAX_HEADER_BYTES);
    String longer = "b".repeat(TopicRules.MAX_HEADER_BYTES + 1);
    String huge = "c".repeat(1 << 20);
    SimpleRecord[] records =
        records(KEY, text("{}"), header(longest), header(longer), header(huge));
    write("long-0", List.<SimpleRecord[]>of(records));
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    assertTrue(out.toString().contains("headers: (others) (2), " + longest + " (2)"));
    PolicyFile file = PolicyFile.load(Files.write(folder.resolve("policy"), proposed()));
    assertEquals(
        TopicRules.MAX_HEADERS,
        file.sectionOf("many").rules().get(TopicRule.HEADERS_REQUIRED).size());
    assertEquals(List.of(longest), file.sectionOf("long").rules().get(TopicRule.HEADERS_REQUIRED));
  }

  /** Values without a pattern, in a folder that names no topic. */
  @Test
  void randomValuesAreNoOutliers() throws Exception {
    List<SimpleRecord[]> batches = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      batches.add(records(KEY, new byte[] {(byte) (i + 1), 0}));
    }
    write("copies", batches);
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    assertFalse(out.toString().contains("OUTLIER"), out::toString);
    assertFalse(out.toString().contains("proposed"), out::toString);
    assertTrue(out.toString().contains("0.log: 60 batches"), out::toString);
  }

  private static SimpleRecord[] withIds(int count) {
    return IntStream.range(0, count)
        .mapToObj(id -> new SimpleRecord(Batches.nowMs(), KEY, confluent(id)))
        .toArray(SimpleRecord[]::new);
  }

  /** More ids than are counted by themselves. */
  @Test
  void schemaIdsAreProposedOnlyIfAllAreKnown() throws Exception {
    write("few-0", List.<SimpleRecord[]>of(withIds(1_000)));
    write("many-0", List.<SimpleRecord[]>of(withIds(1_001)));
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    PolicyFile file = PolicyFile.load(Files.write(folder.resolve("policy"), proposed()));
    assertTrue(file.sectionOf("few").rules().get(TopicRule.VALUE_SCHEMA_IDS).allowsId(999));
    assertEquals("many", file.sectionOf("many").name());
    assertFalse(file.sectionOf("many").rules().isInEffect(TopicRule.VALUE_SCHEMA));
  }

  @Test
  void aSectionIsProposedForEachNameOfATopic() throws Exception {
    String longest = "a".repeat(249);
    write(longest + "-0", List.<SimpleRecord[]>of(records(KEY, text("{}"))));
    write("default-0", List.<SimpleRecord[]>of(records(KEY, text("{}"))));
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    PolicyFile file = PolicyFile.load(Files.write(folder.resolve("policy"), proposed()));
    assertEquals(longest, file.sectionOf(longest).name());
    assertEquals("default_", file.sectionOf("default").name());
  }

  @Test
  void onlyTheWholeStartOfAnAvroFileIsCalledAvro() throws Exception {
    write("files-0", List.<SimpleRecord[]>of(records(KEY, text("Obj\u0001..."))));
    write("texts-0", List.<SimpleRecord[]>of(records(KEY, text("Object"))));
    assertEquals(CheckCommand.CLEAN, check("profile", folder));
    List<String> sections = proposed();
    assertTrue(sections.contains("topics.files.value.starts=avro"), sections::toString);
    assertTrue(sections.contains("topics.texts.value.starts=hex:4f"), sections::toString);
  }

  @Test
  void notWithJson() {
    assertEquals(CommandLine.ExitCode.USAGE, check("profile", "--json", folder));
  }
}
