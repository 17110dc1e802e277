// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.SampleLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files that a search finds: links, loops of links, special files; and its messages. */
public class SearchTest {
  private static final String SEGMENT = "00000000000000000000.log";
  private static final int DIRECTORIES = 12;

  @TempDir private Path data;

  private static Run check(Object... paths) {
    return assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Run.json(paths));
  }

  /** Makes a FIFO, which blocks a process that opens it. */
  public static void fifo(Path file) throws IOException, InterruptedException {
    assertEquals(0, new ProcessBuilder("mkfifo", file.toString()).start().waitFor());
  }

  /**
   * Writes directories that each link to all others, so that there are 12! paths without a loop.
   */
  public static void loops(Path data, byte[] segment) throws IOException {
    for (int i = 0; i < DIRECTORIES; i++) {
      Path directory = Files.createDirectories(data.resolve("d" + i));
      Files.write(directory.resolve("some.log"), segment);
    }
    for (int i = 0; i < DIRECTORIES; i++) {
      for (int k = 0; k < DIRECTORIES; k++) {
        Files.createSymbolicLink(data.resolve("d" + i + "/to" + k), Path.of("../d" + k));
      }
    }
  }

  @Test
  void loopsOfLinksEndAndEachFileIsCheckedOnce() throws IOException {
    loops(data, SegmentBytes.of(1, 1).toByteArray());
    Run run = check(data);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(DIRECTORIES, run.summary().get("files").asInt());
    assertEquals(
        data.resolve("d0/some.log").toString(), run.objects("file").get(0).get("file").asText());
  }

  /** The name of its directory makes a partition. */
  @Test
  void aPathWithoutLinksIsPreferred() throws IOException {
    SampleLog.write(data);
    Files.createSymbolicLink(data.resolve("a-link"), Path.of("orders-3"));
    Files.createSymbolicLink(data.resolve("orders-3/" + "1" + SEGMENT), Path.of(SEGMENT));
    Run run = check(data);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(1, run.objects("partition").size());
    assertFalse(run.out().contains("a-link"), run.out());
  }

  @Test
  void aLinkIsFollowedIfNothingElseLeadsThere() throws IOException {
    SampleLog.write(Files.createDirectories(data.resolve("elsewhere")));
    Path top = Files.createDirectories(data.resolve("top"));
    Files.createSymbolicLink(top.resolve("mine-0"), data.resolve("elsewhere/orders-3"));
    Run run = check(top);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals("mine", run.objects("partition").get(0).get("topic").asText());
  }

  /** The agent keeps cuts in the log directory by default. They are not a part of the log. */
  @Test
  void keptCutsAreCheckedOnlyIfTheyAreNamed() throws IOException {
    SampleLog.write(data);
    byte[] damaged = SegmentBytes.of(1, 1).toByteArray();
    damaged[damaged.length - 1] ^= 1;
    String name = "batchvalidator-kept-orders-3-20261127-213000000-" + SEGMENT;
    Path kept = SegmentBytes.write(data, name, damaged);
    Run run = check(data);
    assertEquals(0, run.exitCode(), run.out());
    assertFalse(run.out().contains(name), run.out());
    assertEquals(1, check(kept).exitCode());
  }

  @Test
  @Timeout(60)
  void filesThatAreNotRegularAreNamed() throws Exception {
    SampleLog.write(data);
    fifo(data.resolve("orders-3/00000000000000000999.log"));
    fifo(data.resolve("orders-3/00000000000000000999.index"));
    fifo(data.resolve("orders-3/notes"));
    Run run = check(data);
    assertEquals(3, run.exitCode());
    assertEquals(
        List.of(
            data + "/orders-3/00000000000000000999.index: not a regular file",
            data + "/orders-3/00000000000000000999.log: not a regular file"),
        run.objects("error").stream()
            .map(each -> each.get("file").asText() + ": " + each.get("message").asText())
            .toList());
    assertEquals(1, run.objects("partition").get(0).get("unreadFiles").asInt());
    assertEquals(0, run.summary().get("faults").asInt(), run.out());
    assertEquals(3, check(data.resolve("orders-3/00000000000000000999.log")).exitCode());
  }

  /** It may lead to a partition. A link to nothing does not. */
  @Test
  void aLinkThatCannotBeFollowedIsNamed() throws IOException {
    SampleLog.write(data);
    Path link = data.resolve("orders-0");
    Files.createSymbolicLink(link, link);
    Files.createSymbolicLink(data.resolve("orders-1"), Path.of("nowhere"));
    Run run = check(data);
    assertEquals(3, run.exitCode(), run.err());
    assertEquals(
        List.of(link.toString()),
        run.objects("error").stream().map(each -> each.get("file").asText()).toList());
    assertEquals(1, run.objects("partition").size());
  }

  @Test
  void directoriesThatABrokerSetAsideAreRemarked() throws IOException {
    SampleLog.write(data);
    Path aside = data.resolve("orders-3.0123456789abcdef0123456789abcdef-delete");
    Files.move(data.resolve("orders-3"), aside);
    Run run = check(data);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(
        "check: checked file by file, because a broker deletes, moves or does not know the"
            + " partition: "
            + aside
            + "\n",
        run.err());
    assertEquals(0, run.objects("partition").size());
  }

  @Test
  void directoriesWithoutTheNameOfAPartitionAreRemarked() throws IOException {
    SampleLog.write(data);
    Path renamed = data.resolve("suspect");
    Files.move(data.resolve("orders-3"), renamed);
    Run run = check(renamed);
    assertEquals(0, run.exitCode(), run.err());
    assertEquals(
        "check: checked file by file, because the directory is not named TOPIC-PARTITION: "
            + renamed
            + "\n",
        run.err());
    Path other = Files.createDirectory(data.resolve("other"));
    Files.move(renamed.resolve(SEGMENT), other.resolve("copy.log"));
    assertEquals("", check(other).err());
  }

  @Test
  void segmentsThatAreNamedOneByOneAreRemarked() throws IOException {
    Path directory = SampleLog.write(data);
    Run run = check(directory.resolve(SEGMENT));
    assertEquals(
        "check: checked file by file; name the directory to check the partition as a whole: "
            + directory
            + "\n",
        run.err());
    assertEquals(0, run.objects("partition").size());
    assertEquals("", check(directory).err());
  }

  @Test
  void aSegmentThatIsNamedBesideItsDirectoryBelongsToThePartition() throws IOException {
    Path directory = SampleLog.write(data);
    Run alone = check(directory);
    Run named = Run.json(directory.resolve(SEGMENT), directory);
    assertEquals("", named.err());
    assertEquals(0, named.exitCode(), named.out());
    assertEquals(alone.objects("partition"), named.objects("partition"));
    assertEquals(alone.summary().get("files"), named.summary().get("files"));
  }

  @Test
  void aPartitionWithAnUnreadableSegmentIsNotOk() throws Exception {
    Path segment = SampleLog.write(data).resolve(SEGMENT);
    Files.delete(segment);
    Files.createSymbolicLink(segment, Path.of("nowhere"));
    Run run = Run.of(data.toString());
    assertEquals(3, run.exitCode());
    assertEquals("check: " + segment + ": broken symbolic link\n", run.err());
    assertTrue(
        run.out().contains("\npartition " + data + "/orders-3: 1 file not read to the end\n"),
        run.out());
  }
}
