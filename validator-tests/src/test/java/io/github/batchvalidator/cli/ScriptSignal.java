// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A signal to a script that waits for Java. */
public final class ScriptSignal {
  private static final int SIGINT = 2;

  private ScriptSignal() {}

  /**
   * Asserts that a signal to a script also ends its Java, which is a {@code sleep} in these tests.
   * Java is a child of the script or of one of its jobs.
   *
   * @param builder starts the script
   * @param signal the name of the signal
   * @param code the exit code of the script
   */
  public static void assertEndsJava(ProcessBuilder builder, String signal, int code)
      throws IOException, InterruptedException {
    assumeFalse(signal.equals("INT") && ignoresInterrupts(), "the script cannot get the signal");
    Process script = builder.start();
    while (script
        .descendants()
        .noneMatch(child -> child.info().command().orElse("").endsWith("sleep"))) {
      assertTrue(script.isAlive());
      Thread.sleep(5);
    }
    List<ProcessHandle> descendants = script.descendants().toList();
    new ProcessBuilder("kill", "-" + signal, Long.toString(script.pid())).start().waitFor();
    assertTrue(script.waitFor(30, TimeUnit.SECONDS));
    assertEquals(code, script.exitValue());
    assertTrue(descendants.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** A shell starts jobs in the background so, and a script inherits it. */
  private static boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).strip(), 16) >> (SIGINT - 1) & 1) == 1;
      }
    }
    return false;
  }
}
