// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The rules of topics in {@code ./check}. */
class PolicyCheckTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeSegments() throws IOException {
    for (String partition : List.of("orders-0", "payments-eu-12", "other")) {
      Path file = Files.createDirectories(folder.resolve(partition)).resolve("0.log");
      ByteBuffer batch =
          Batches.of(Codec.LZ4, new SimpleRecord(Batches.nowMs(), null, new byte[] {'{', '}'}));
      Files.write(file, Batches.copy(batch).array());
    }
  }

  private Path policy(String... lines) throws IOException {
    return Files.write(folder.resolve("policy.properties"), List.of(lines));
  }

  private int check(Object... arguments) {
    CommandLine line = CheckCommand.commandLine(() -> false);
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    return line.execute(words);
  }

  @Test
  void eachTopicHasItsRules() throws IOException {
    Path file =
        policy(
            "topics.pay.match=payments-eu",
            "topics.pay.key.required=true",
            "topics.orders.match=orders",
            "topics.orders.value.starts=json-object");
    assertEquals(CheckCommand.FAULTS, check("--json", "--policy", file, folder));
    String report = out.toString();
    assertTrue(report.contains("TOPIC_KEY_MISSING"), report);
    assertFalse(report.contains("TOPIC_VALUE_START_UNEXPECTED"), report);
    assertEquals(1, report.lines().filter(line -> line.contains("\"type\":\"fault\"")).count());
    assertTrue(report.contains("payments-eu-12"), report);
  }

  @Test
  void anObservedRuleIsAFinding() throws IOException {
    Path file = policy("default.observe=true", "default.key.required=true");
    assertEquals(CheckCommand.CLEAN, check("--json", "--policy", file, folder));
    String report = out.toString();
    assertEquals(3, report.lines().filter(line -> line.contains("\"type\":\"finding\"")).count());
  }

  @Test
  void theOptionsAreTheDefaultSection() throws IOException {
    Path file = policy("topics.orders.match=orders", "topics.orders.limits.plainBytes=1000");
    assertEquals(CheckCommand.FAULTS, check("--policy", file, "--limit-plain-bytes", "1", folder));
    assertTrue(out.toString().contains("2 faults"), out::toString);
  }

  @Test
  void explainsATopic() throws IOException {
    Path file =
        policy("topics.a.match=orders*", "topics.a.level=strict", "topics.a.codecs=lz4,none");
    assertEquals(CheckCommand.CLEAN, check("--policy", file, "--explain", "orders-eu"));
    List<String> lines = out.toString().lines().toList();
    assertEquals("topic orders-eu: section a", lines.get(0));
    assertTrue(lines.contains("level=strict"), lines::toString);
    assertTrue(lines.contains("codecs=none, lz4"), lines::toString);
    assertTrue(lines.contains("match=orders*"), lines::toString);
  }

  @Test
  void explainsAnInternalTopicAndWarnsAboutTopicsOfTools() throws IOException {
    Path file = policy("default.level=strict", "default.key.required=true");
    assertEquals(CheckCommand.CLEAN, check("--policy", file, "--explain", "__consumer_offsets"));
    List<String> lines = out.toString().lines().toList();
    assertEquals(
        "topic __consumer_offsets: section none, because no section names this internal topic",
        lines.get(0));
    assertTrue(lines.contains("level=kafka"), lines::toString);
    assertTrue(lines.contains("key.required=false"), lines::toString);
    assertTrue(err.toString().startsWith("check: warning: _schemas of Schema Registry gets "));
  }

  @Test
  void anInvalidFileIsWrongUsage() throws IOException {
    Path file = policy("default.level=x", "default.observe=y");
    assertEquals(CommandLine.ExitCode.USAGE, check("--policy", file, "--explain", "a"));
    List<String> lines = err.toString().lines().toList();
    assertEquals(3, lines.size(), lines::toString);
    assertTrue(lines.get(1).contains(":1: default.level: is x, legal is"), lines::toString);
    assertTrue(lines.get(2).contains(":2: default.observe: is y, legal is"), lines::toString);
    assertEquals(CommandLine.ExitCode.USAGE, check("--explain", "a"));
  }
}
