// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.dropin.FailingLog;
import io.github.batchvalidator.dropin.LoggedLines;
import io.github.batchvalidator.dropin.policies.TopicPolicies;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.TopicRule;
import io.github.batchvalidator.rule.TopicRules;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyWatchTest {
  private static final String VALID = "topics.a.match=orders*\n";
  private static final String WITH_IDS =
      "topics.a.value.schema=header\ntopics.a.value.schema.ids=file:ids.txt\n";

  @TempDir private Path folder;

  private final List<String> logged = new ArrayList<>();
  private final TopicPolicies policies = new TopicPolicies(PolicySection.KAFKA);
  private Path file = Path.of("none");
  private PolicyWatch watch = new PolicyWatch(file, policies);
  private long nowMs = 1_000_000;

  @BeforeEach
  void open() throws IOException {
    file = folder.resolve("policy.properties");
    Files.writeString(file, VALID);
    watch = watch(file);
  }

  private PolicyWatch watch(Path path) {
    return new PolicyWatch(path, policies, () -> nowMs, LoggedLines.into(logged));
  }

  private List<String> sections() {
    return policies.sections().stream().map(PolicySection::name).toList();
  }

  @Test
  void aValidFileIsInUse() {
    assertEquals("", watch.reload());
    assertEquals(List.of("default", "a"), sections());
    assertEquals(sections(), watch.sections());
    assertEquals(new PolicyWatch.State(nowMs, ""), watch.state());
    assertTrue(logged.get(0).startsWith("info"), logged::toString);
  }

  @Test
  void aChangeIsNoticed() throws IOException {
    watch.reload();
    watch.poll();
    Files.writeString(file, VALID + "topics.b.match=b\n");
    nowMs++;
    watch.poll();
    assertEquals(List.of("default", "a", "b"), sections());
    assertEquals(nowMs, watch.state().loadedAtMs());
    assertEquals(2, logged.size());
  }

  @Test
  void anInvalidFileChangesNothing() throws IOException {
    watch.reload();
    long loadedAtMs = nowMs++;
    Files.writeString(file, "topics.b.level=none\n");
    watch.poll();
    assertEquals(List.of("default", "a"), sections());
    assertTrue(watch.state().error().contains("topics.b"), watch.state()::toString);
    assertEquals(loadedAtMs, watch.state().loadedAtMs());
    assertTrue(logged.get(1).startsWith("error"), logged::toString);
    assertTrue(logged.get(1).contains("stay in use"), logged::toString);
    Files.writeString(file, VALID);
    watch.poll();
    assertEquals("", watch.state().error());
  }

  @Test
  void anInvalidFileAtTheStart() throws IOException {
    Files.writeString(file, "level=strict\n");
    assertTrue(watch.reload().contains("default.KEY"));
    assertEquals(List.of("default"), sections());
    assertEquals(0, watch.state().loadedAtMs());
    assertTrue(logged.get(0).contains("broker-wide settings apply"), logged::toString);
  }

  /** As {@code cp -p} and {@code rsync -t} leave it. */
  @Test
  void aChangeThatKeepsSizeAndTimeIsNoticed() throws IOException {
    watch.reload();
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, VALID.replace("topics.a", "topics.b"));
    Files.setLastModifiedTime(file, time);
    watch.poll();
    assertEquals(List.of("default", "b"), sections());
  }

  @Test
  void aFileThatIsCutToNothingChangesNothing() throws IOException {
    watch.reload();
    Files.writeString(file, "");
    watch.poll();
    assertEquals(List.of("default", "a"), sections());
    assertTrue(watch.state().error().contains("has no entry"), watch.state()::toString);
    Files.writeString(file, VALID);
    watch.poll();
    assertEquals("", watch.state().error());
  }

  @Test
  void aFileOfIdsThatIsCutToNothingChangesNothing() throws IOException {
    Path ids = Files.writeString(folder.resolve("ids.txt"), "17\n");
    Files.writeString(file, VALID + WITH_IDS);
    watch.reload();
    Files.writeString(ids, "");
    watch.poll();
    assertTrue(allows(17) && !allows(18));
    assertTrue(watch.state().error().contains("has no id"), watch.state()::toString);
  }

  /** The list of files changes with this load, and the ids change while they are read. */
  @Test
  void aChangeDuringALoadIsNoticed() throws Exception {
    watch.reload();
    int tries = 1;
    while (!isChangedDuringLoad()) {
      assertTrue(tries++ < 30, "no change was in time");
      watch.poll(); // the next try is a change again
    }
    assertFalse(allows(18));
    watch.poll();
    assertTrue(allows(18) && !allows(17));
  }

  /** Returns false if the load was over before the change, or opened the file after it. */
  private boolean isChangedDuringLoad() throws Exception {
    Path ids = folder.resolve("ids.txt");
    Files.writeString(ids, "17\n".repeat(2_000_000));
    Path next = Files.writeString(folder.resolve("next.txt"), "18\n");
    Files.writeString(file, VALID + WITH_IDS);
    Thread load = new Thread(watch::poll);
    load.start();
    while (load.isAlive() && !isReadingIds(load)) {
      Thread.onSpinWait();
    }
    Files.move(next, ids, StandardCopyOption.ATOMIC_MOVE);
    boolean isInTime = load.isAlive();
    load.join();
    return isInTime && allows(17);
  }

  private static boolean isReadingIds(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().endsWith(".SchemaIdParser"));
  }

  private boolean allows(int id) {
    TopicRules rules = policies.sections().get(1).rules();
    return rules.isInEffect(TopicRule.VALUE_SCHEMA)
        && rules.get(TopicRule.VALUE_SCHEMA_IDS).allowsId(id);
  }

  @Test
  void aNamedPipeIsRefusedAndDoesNotBlock() throws Exception {
    Files.delete(file);
    assumeTrue(new ProcessBuilder("mkfifo", file.toString()).start().waitFor() == 0, "no mkfifo");
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertTrue(watch.reload().contains("not a regular file"), watch.state()::toString);
          watch.poll();
        });
    assertEquals(1, logged.size());
    Files.delete(file);
    Files.writeString(file, VALID);
    watch.poll();
    assertEquals(List.of("default", "a"), sections());
  }

  /** As a lack of memory would: the first reload is part of the start of a broker. */
  @Test
  void anExceptionRefusesTheFile() throws IOException {
    Path archive = folder.resolve("a.zip");
    FileSystem closed = FileSystems.newFileSystem(archive, Map.of("create", "true"));
    Path inside = closed.getPath("policy.properties");
    closed.close();
    PolicyWatch failing = watch(inside);
    assertTrue(failing.reload().contains("ClosedFileSystemException"), failing.state()::toString);
    assertEquals(List.of("default"), sections());
    failing.poll();
    assertEquals(1, logged.size());
    nowMs += 60_000;
    failing.poll();
    assertEquals(2, logged.size(), "the load is tried again once per minute");
  }

  /** The first reload is part of the initialization of a class that all appends need. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aLogThatFailsChangesNothing(Class<? extends Throwable> kind) throws IOException {
    FailingLog log = new FailingLog(kind);
    PolicyWatch failing = new PolicyWatch(file, policies, () -> nowMs, log.logger());
    assertEquals("", failing.reload());
    assertEquals(new PolicyWatch.State(nowMs, ""), failing.state());
    assertEquals(List.of("default", "a"), sections());
    Files.writeString(file, "level=strict\n");
    assertTrue(failing.reload().contains("default.KEY"), failing.state()::toString);
    nowMs += 60_000;
    failing.poll();
    assertEquals(List.of("info", "error", "error"), log.called());
    Files.writeString(file, "topics.b.match=b\n");
    failing.poll();
    assertEquals("", failing.state().error());
    assertEquals(List.of("default", "b"), sections());
  }

  @Test
  void anErrorIsRepeatedOncePerMinute() throws IOException {
    Files.delete(file);
    watch.reload();
    watch.poll();
    nowMs += 59_999;
    watch.poll();
    assertEquals(1, logged.size());
    nowMs++;
    watch.poll();
    assertEquals(2, logged.size());
  }

  /** Also if the policy file was refused because of it. */
  @Test
  void aChangeOfAFileOfIdsIsNoticed() throws IOException {
    Path ids = folder.resolve("ids.txt");
    Files.writeString(ids, "x\n");
    Files.writeString(file, VALID + WITH_IDS);
    assertTrue(watch.reload().contains("ids.txt:1"));
    Files.writeString(ids, "1717\n");
    watch.poll();
    assertEquals("", watch.state().error());
    assertEquals(List.of("default", "a"), sections());
    Files.writeString(ids, "17171\nx");
    watch.poll();
    assertTrue(watch.state().error().contains("ids.txt:2"));
  }
}
