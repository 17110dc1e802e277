// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reader that ends early, such as {@code head}, is no error. A full disk is. */
class ClosedPipeIT {
  /** More than a pipe holds: a line per file. */
  private static final int FILES = 2000;

  @TempDir private Path directory;
  private Path segments;

  @BeforeEach
  void writeSegments() {
    segments = directory.resolve("segments");
    byte[] bytes = SegmentBytes.of(1, 1).toByteArray();
    for (int i = 0; i < FILES; i++) {
      SegmentBytes.write(segments, i + ".log", bytes);
    }
  }

  @Test
  void cleanFilesEndWithSuccess() throws IOException, InterruptedException {
    Run run = piped("| head -1");
    assertEquals(1, run.out().lines().count(), run.out());
    assertEquals("", run.err());
    assertEquals(0, run.exitCode());
  }

  @Test
  void faultsSoFarCount() throws IOException, InterruptedException {
    byte[] damaged = SegmentBytes.of(1, 1).toByteArray();
    damaged[damaged.length - 1] ^= 1;
    SegmentBytes.write(segments, "0.log", damaged);
    Run run = piped("| head -1");
    assertTrue(run.out().startsWith("{\"type\":\"fault\""), run.out());
    assertEquals("", run.err());
    assertEquals(1, run.exitCode());
  }

  @Test
  void aSocketIsReadByAProgramToo() throws IOException, InterruptedException {
    Path python = Path.of("/usr/bin/python3");
    assumeTrue(Files.isExecutable(python), "no Python to make a socket with");
    String code =
        """
        import socket, subprocess, sys
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(sys.argv[1:], stdout=theirs)
        theirs.close()
        ours.recv(1)
        ours.close()
        sys.exit(process.wait())
        """;
    Run run =
        CheckProcess.runWithin(
            List.of(python.toString(), "-c", code), directory, List.of(), segments);
    assertEquals("", run.err());
    assertEquals(0, run.exitCode());
  }

  @Test
  void aFullDiskIsAnError() throws IOException, InterruptedException {
    assumeTrue(Files.exists(Path.of("/dev/full")), "no full disk");
    Run run = piped("> /dev/full");
    assertEquals("check: the report could not be written\n", run.err());
    assertEquals(3, run.exitCode());
  }

  private Run piped(String redirection) throws IOException, InterruptedException {
    String command = "\"$@\" " + redirection + "; exit ${PIPESTATUS[0]}";
    List<String> shell = List.of("bash", "-c", command, "piped");
    return CheckProcess.runWithin(shell, directory, List.of(), segments);
  }
}
