// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page and the completion of shells. */
class ManPageTest {
  private static final Path PAGE = Path.of("..", "docs", "check.1");

  @TempDir private Path directory;

  /** If this fails: {@code ./check --man-page > docs/check.1}. */
  @Test
  void theDocumentIsCurrent() throws IOException {
    Run run = Run.of("--man-page");
    assertEquals(0, run.exitCode());
    assertEquals(Files.readString(PAGE), run.out());
  }

  @Test
  void allOptionsAreDescribed() {
    String page = Run.of("--man-page").out();
    for (OptionSpec option : allOptions()) {
      for (String name : option.names()) {
        assertTrue(page.contains("\\fB" + name.replace("-", "\\-") + "\\fR"), name);
      }
    }
    assertTrue(page.contains("\n\\fB3\\fR\nno complete answer: "), page);
  }

  /** Returns the options of all commands. */
  static List<OptionSpec> allOptions() {
    CommandLine check = CheckCommand.commandLine(() -> false, "--man-page");
    return Stream.concat(Stream.of(check), check.getSubcommands().values().stream())
        .flatMap(command -> command.getCommandSpec().options().stream())
        .toList();
  }

  /** A text line that starts with a dot would be a request of roff. */
  @Test
  void linesThatStartWithADotAreMacros() {
    List<String> macros = List.of(".\\\"", ".TH", ".SH", ".SS", ".PP", ".TP", ".B");
    Run.of("--man-page")
        .out()
        .lines()
        .filter(line -> line.startsWith(".") || line.startsWith("'"))
        .forEach(line -> assertTrue(macros.contains(line.split(" ", 2)[0]), line));
  }

  @Test
  void shellsCompleteOptionsAndTheirValues() throws IOException, InterruptedException {
    Run run = Run.of("--completion");
    assertEquals(0, run.exitCode());
    Path script = Files.writeString(directory.resolve("completion"), run.out());
    assertEquals(List.of("--level"), completed(script, "--lev"));
    assertEquals(List.of("salvage"), completed(script, "sal"));
    assertEquals(List.of("compare"), completed(script, "comp"));
    assertEquals(List.of("--compacted"), completed(script, "compare", "--comp"));
    assertEquals(List.of("--lose-markers"), completed(script, "salvage", "--lo"));
    assertEquals(List.of("kafka strict"), completed(script, "--level", ""));
    assertEquals(
        List.of("unbounded-as-kafka generous broker-default"), completed(script, "--limits", ""));
    assertEquals(List.of("SEGMENT_SCAN_STOPPED"), completed(script, "--explain", "SEGMENT_SC"));
  }

  private static List<String> completed(Path script, String... words)
      throws IOException, InterruptedException {
    String command =
        "source \"$1\"; shift; COMP_WORDS=(check \"$@\"); COMP_CWORD=$#; "
            + "_complete_check 2> /dev/null; echo \"${COMPREPLY[@]}\"";
    String[] arguments = new String[5 + words.length];
    System.arraycopy(new String[] {"bash", "-c", command, "bash"}, 0, arguments, 0, 4);
    arguments[4] = script.toString();
    System.arraycopy(words, 0, arguments, 5, words.length);
    Process bash = new ProcessBuilder(arguments).start();
    byte[] out = bash.getInputStream().readAllBytes();
    assertEquals(0, bash.waitFor());
    return new String(out, StandardCharsets.UTF_8).lines().toList();
  }
}
