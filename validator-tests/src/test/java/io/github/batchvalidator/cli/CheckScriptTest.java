// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The script {@code check}, in a checkout that is built, with a {@code java} that only notes how it
 * was called: an exit code of 1 stands for faults, whatever goes wrong before there is a program.
 */
class CheckScriptTest {
  private static final Path SCRIPT = Path.of("..", "check");
  @TempDir private Path directory;
  private Path home;
  private Path target;

  @BeforeEach
  void checkout() throws IOException {
    home = Files.createDirectories(directory.resolve("a checkout"));
    Files.copy(SCRIPT, home.resolve("check"), StandardCopyOption.COPY_ATTRIBUTES);
    for (String module :
        new String[] {"validator-core", "validator-policy", "validator-audit", "validator-cli"}) {
      Files.createDirectories(home.resolve(module).resolve("src"));
      Files.createFile(home.resolve(module).resolve("pom.xml"));
    }
    Files.createFile(home.resolve("pom.xml"));
    Path docs = Files.createDirectories(home.resolve("docs"));
    for (String page : new String[] {"audit.md", "check.md", "compare.md", "rules.md"}) {
      Files.createFile(docs.resolve(page));
    }
    Files.copy(SCRIPT.resolveSibling("docs/check.1"), docs.resolve("check.1"));
    target = Files.createDirectories(home.resolve("validator-cli/target"));
    Files.createFile(target.resolve("check.jar"));
  }

  @Test
  void theCodeOfTheProgramIsThatOfTheScript() throws IOException, InterruptedException {
    java("case \"$*\" in *some.log) exit 1;; esac");
    assertEquals(1, check("some.log"));
    assertEquals(0, check("other.log"));
    List<String> calls = Files.readAllLines(home.resolve("calls"), StandardCharsets.UTF_8);
    assertTrue(calls.get(0).contains("-XX:ArchiveClassesAtExit="), calls::toString);
    assertTrue(calls.get(1).endsWith("check.jar some.log"), calls::toString);
  }

  @Test
  void aJavaThatCannotRunTheProgramIsNoFault() throws IOException, InterruptedException {
    java("exit 1");
    assertEquals(3, check("some.log"));
    assertTrue(err().endsWith("it needs a JDK 17 or newer\n"), err());
  }

  /** When the archive was made it could. */
  @Test
  void aJavaThatCannotRunTheProgramAnyMoreIsNoFault() throws IOException, InterruptedException {
    java("true");
    assertEquals(0, check("some.log"));
    FileTime then = Files.getLastModifiedTime(home.resolve("bin/java"));
    Files.writeString(archive(), "an archive");
    java("exit 1");
    Files.setLastModifiedTime(home.resolve("bin/java"), then);
    assertEquals(3, check("some.log"));
    assertTrue(err().endsWith("it needs a JDK 17 or newer\n"), err());
  }

  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalToTheScriptEndsJava(String signal, int code)
      throws IOException, InterruptedException {
    java("case \"$*\" in *some.log) exec sleep 60;; esac");
    assertEquals(0, check("other.log"));
    ProcessBuilder builder = new ProcessBuilder(home.resolve("check").toString(), "some.log");
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().remove("JAVA_OPTS");
    ScriptSignal.assertEndsJava(builder, signal, code);
  }

  @Test
  void optionsThatNoJavaTakesAreNoFault() throws IOException, InterruptedException {
    java("case \"$*\" in *-Xnonsense*) exit 1;; esac");
    assertEquals(0, check("some.log"));
    assertEquals(3, run("env", "JAVA_OPTS=-Xnonsense", home.resolve("check").toString(), "a.log"));
    assertTrue(err().contains("-Xnonsense"), err());
  }

  @Test
  void withoutAnArchiveTheProgramRunsAllTheSame() throws IOException, InterruptedException {
    java("case \"$*\" in *resources) exit 3;; esac"); // a codec without library, say
    assertEquals(0, check("some.log"));
    java("true");
    Files.createDirectories(archive().resolve("that cannot be removed"));
    Files.setLastModifiedTime(archive(), FileTime.fromMillis(0));
    assertEquals(0, check("some.log"));
  }

  @Test
  void aMissingJavaIsNoFault() throws IOException, InterruptedException {
    assertEquals(3, check("some.log"));
    assertTrue(err().startsWith("check: no Java"), err());
  }

  @Test
  void aReadlinkThatKnowsTooLittleIsNoFault() throws IOException, InterruptedException {
    java("true");
    program("readlink", "exit 1");
    assertEquals(3, check("some.log"));
    assertTrue(err().startsWith("check: it needs a readlink"), err());
  }

  @Test
  void aBuildThatFailsIsNoFault() throws IOException, InterruptedException {
    java("true");
    program("mvn", "exit 1");
    Files.delete(target.resolve("check.jar"));
    assertEquals(3, check("some.log"));
    assertTrue(err().contains("the build failed"), err());
  }

  @Test
  void helpNeedsNoBuild() throws IOException, InterruptedException {
    program("mvn", "exit 1");
    Files.delete(target.resolve("check.jar"));
    assertEquals(0, check("--help"));
    String help = Files.readString(directory.resolve("out"), StandardCharsets.UTF_8);
    assertTrue(help.contains("\nOPTIONS\n  --tiered=DIR\n      Also checks"), help);
    assertTrue(help.contains("\nEXIT STATUS\n  0\n      clean\n"), help);
    assertFalse(help.contains("\\"), help);
  }

  /** Writes a fake Java that logs its arguments and then runs a shell command. */
  private void java(String then) throws IOException {
    program("java", "printf '%s\\n' \"$*\" >> '" + home.resolve("calls") + "'\n" + then);
  }

  private void program(String name, String body) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path file = Files.writeString(bin.resolve(name), "#!/usr/bin/env bash\n" + body + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  private Path archive() {
    String java = home.resolve("bin/java").toString().replace('/', '-');
    return target.resolve("check" + java + ".jsa");
  }

  private int check(String path) throws IOException, InterruptedException {
    return run(home.resolve("check").toString(), path);
  }

  private int run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", home.toString());
    builder.environment().remove("JAVA_OPTS");
    builder.environment().merge("PATH", home.resolve("bin") + ":", (path, bin) -> bin + path);
    Path err = directory.resolve("err");
    Process process =
        builder
            .redirectError(err.toFile())
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    return process.exitValue();
  }

  private String err() throws IOException {
    return Files.readString(directory.resolve("err"), StandardCharsets.UTF_8);
  }
}
