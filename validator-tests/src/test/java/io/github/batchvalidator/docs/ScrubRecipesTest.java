// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.cli.Run;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The command lines of the scrub in {@code deploy} are legal: the only complaint is about the
 * directories of the recipe, which this machine does not have.
 */
class ScrubRecipesTest {
  private static final Pattern START = Pattern.compile("check\\.jar (scrub (?:.*\\\\\n)*.*)\n");
  private static final Pattern PROGRAM = Pattern.compile("\nExecStart=(.*check\\.jar) scrub ");
  private static final Pattern TRIAL =
      Pattern.compile("\nExecStartPre=/bin/sh -c '(.*check\\.jar --version)( .*)'\n");
  private static final Pattern SUCCESSES = Pattern.compile("\nSuccessExitStatus=(.+)\n");
  private static final Pattern JOB_NAME = Pattern.compile("\n  name: \\S+-([0-9]+)\n");
  private static final Pattern WORD = Pattern.compile("\n {16}- (\\S+)");

  private static void assertLegal(List<String> words) {
    assertTrue(words.containsAll(List.of("--state", "--metrics-file")), words::toString);
    List<String> there =
        words.stream().map(word -> word.replaceFirst("^/.*/(.+)$", "/tmp/no/$1")).toList();
    Run run = Run.of(there.toArray(String[]::new));
    assertEquals(2, run.exitCode());
    assertTrue(run.err().startsWith("check: --state must be a file in"), run.err());
  }

  private static String text(String recipe) throws IOException {
    return Objects.requireNonNull(OperatorsKit.texts().get(recipe), recipe);
  }

  @Test
  void ofSystemd() throws IOException {
    String unit = text("systemd/batchvalidator-scrub.service");
    MatchResult start = START.matcher(unit).results().findFirst().orElseThrow();
    assertLegal(Arrays.asList(start.group(1).replace("\\\n", " ").trim().split("\\s+")));
  }

  /** A JVM that cannot start ends with the code of a scrub that found faults. */
  @Test
  void aJavaThatCannotRunTheProgramIsAFailureOfTheUnit() throws Exception {
    String unit = text("systemd/batchvalidator-scrub.service");
    MatchResult trial = TRIAL.matcher(unit).results().findFirst().orElseThrow();
    MatchResult program = PROGRAM.matcher(unit).results().findFirst().orElseThrow();
    assertEquals(program.group(1) + " --version", trial.group(1));
    assertEquals(0, shell("exit 0", trial.group(2)));
    assertEquals(4, shell("exit 1", trial.group(2)));
    MatchResult successes = SUCCESSES.matcher(unit).results().findFirst().orElseThrow();
    assertEquals(List.of("1", "3"), List.of(successes.group(1).split(" ", -1)));
  }

  /** Runs a command and what follows it, and returns the exit code. */
  private static int shell(String command, String rest) throws Exception {
    return new ProcessBuilder("/bin/sh", "-c", "(" + command + ")" + rest).start().waitFor();
  }

  @Test
  void ofKubernetes() throws IOException {
    String job = text("kubernetes/scrub-cronjob.yaml");
    String command = job.substring(job.indexOf("command:"), job.indexOf("resources:"));
    Stream<String> words = WORD.matcher(command).results().map(word -> word.group(1));
    List<String> arguments =
        words.dropWhile(word -> !word.equals("scrub")).collect(Collectors.toList());
    assertTrue(arguments.contains("--once"), arguments::toString);
    assertLegal(arguments);
    String broker = JOB_NAME.matcher(job).results().findFirst().orElseThrow().group(1);
    String comment = job.substring(0, job.indexOf("apiVersion:"));
    for (String option : List.of("--state", "--metrics-file")) {
      String file = arguments.get(arguments.indexOf(option) + 1);
      assertTrue(file.contains("-" + broker + "."), file);
      assertTrue(comment.contains(file.substring(file.lastIndexOf('/') + 1)), file);
    }
  }
}
