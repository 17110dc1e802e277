// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.testkit.broker.ClusterMember;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs every command of the tutorial in one shell, and compares what the page shows with the
 * output.
 *
 * <p>Two commands are replaced. {@code curl} delivers the jars of Kafka that the build has, with
 * scripts that start the same classes as those of a release. {@code mvn} builds nothing, because
 * the running build has made the jars. Ports are free ones.
 */
@Tag("broker")
class GettingStartedIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final String LINE = "4.3";
  private static final String KAFKA = "kafka_2.13-" + System.getProperty("kafka.version");
  private static final List<String> LINKED =
      List.of(
          "check",
          "docs",
          "pom.xml",
          "validator-core",
          "validator-policy",
          "validator-audit",
          "validator-cli",
          "validator-dropin");
  private static final int MINUTES = 5;
  private static final String SEPARATOR = "=== next block ===";
  private static final Pattern BLOCK =
      Pattern.compile("^```(\\w*)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern PORT = Pattern.compile("909[23]");
  private static final Map<String, String> TOOLS =
      Map.of(
          "server-start", "kafka.Kafka",
          "storage", "kafka.tools.StorageTool",
          "topics", "org.apache.kafka.tools.TopicCommand",
          "console-producer", "org.apache.kafka.tools.ConsoleProducer");

  @TempDir private Path folder;
  private Path clone;
  private Path programs;

  /** The commands of one block, and the lines of their output that the page shows. */
  private record Step(String commands, List<String> shown) {}

  @BeforeEach
  void prepare() throws Exception {
    clone = Files.createDirectory(folder.resolve("clone"));
    for (String each : LINKED) {
      Files.createSymbolicLink(clone.resolve(each), ROOT.resolve(each));
    }
    programs = Files.createDirectory(folder.resolve("programs"));
    packKafka();
    program(programs.resolve("curl"), "cp '" + folder + "/kafka.tgz' \"${2##*/}\"");
    program(programs.resolve("mvn"), "echo \"$@\" >> '" + folder + "/builds'");
  }

  /** JUnit warns of links that lead out of a temporary folder. */
  @AfterEach
  void removeLinks() throws IOException {
    for (String each : LINKED) {
      Files.delete(clone.resolve(each));
    }
  }

  private void packKafka() throws Exception {
    Path kafka = folder.resolve(KAFKA);
    Path libs = Files.createDirectories(kafka.resolve("libs"));
    for (Path jar : Lines.jars().stock(LINE)) {
      Files.createSymbolicLink(libs.resolve(jar.getFileName()), jar.toRealPath());
    }
    Path bin = Files.createDirectory(kafka.resolve("bin"));
    for (Map.Entry<String, String> tool : TOOLS.entrySet()) {
      program(
          bin.resolve("kafka-" + tool.getKey() + ".sh"),
          "exec \"$JAVA_HOME/bin/java\" -Xmx384m -XX:TieredStopAtLevel=1 -Dlog4j2.level="
              + (tool.getKey().equals("server-start") ? "INFO" : "WARN")
              + " $KAFKA_OPTS -cp \"${CLASSPATH:+$CLASSPATH:}${0%/*}/../libs/*\" "
              + tool.getValue()
              + " \"$@\"");
    }
    Process tar =
        new ProcessBuilder("tar", "--remove-files", "-czf", "kafka.tgz", KAFKA)
            .directory(folder.toFile())
            .start();
    assertEquals(0, tar.waitFor());
  }

  private static void program(Path file, String command) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  @Test
  void everyCommandDoesWhatThePageShows() throws Exception {
    List<Step> steps = steps(Files.readString(ROOT.resolve("docs/getting-started.md")));
    List<String> outputs = List.of(run(steps).split(SEPARATOR + "\n", -1));
    for (int i = 0; i < steps.size(); i++) {
      assertTrue(outputs.size() > i + 1, "ended early: " + outputs);
      assertShows(steps.get(i), outputs.get(i + 1));
    }
    // ./check also builds if a source is newer than its jar.
    List<String> builds = Files.readAllLines(folder.resolve("builds"));
    assertTrue(
        builds.contains(
            "-q -f " + clone + "/pom.xml package -DskipTests -pl validator-dropin/kafka-4.3 -am"),
        builds::toString);
    assertFalse(Files.exists(clone.resolve("target/tutorial")), "something is left");
  }

  private static List<Step> steps(String page) {
    List<Step> steps = new ArrayList<>();
    Matcher block = BLOCK.matcher(page);
    while (block.find()) {
      if (block.group(1).equals("sh")) {
        steps.add(new Step(block.group(2), new ArrayList<>()));
      } else {
        assertEquals("text", block.group(1));
        block.group(2).lines().forEach(steps.get(steps.size() - 1).shown()::add);
      }
    }
    assertTrue(steps.size() > 5, steps::toString);
    assertTrue(steps.stream().anyMatch(step -> step.shown().size() > 2), steps::toString);
    return steps;
  }

  /** The shown lines are complete and in order; other lines may come in between. */
  private static void assertShows(Step step, String output) {
    List<String> rest = output.lines().toList();
    for (String line : step.shown()) {
      int found = rest.indexOf(line);
      assertTrue(
          found >= 0, () -> "not shown: " + line + "\nby " + step + "\nwhich prints\n" + output);
      rest = rest.subList(found + 1, rest.size());
    }
  }

  /** Stops at the first command that fails. */
  private String run(List<Step> steps) throws Exception {
    StringBuilder script = new StringBuilder("set -e\n");
    for (Step step : steps) {
      script.append("echo '").append(SEPARATOR).append("'\n").append(step.commands());
    }
    Path file = Files.writeString(folder.resolve("tutorial.sh"), withFreePorts(script.toString()));
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder("bash", file.toString())
            .directory(clone.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> environment = builder.environment();
    environment
        .keySet()
        .removeIf(name -> name.matches("KAFKA_.*|CLASSPATH|.*JAVA.*OPT.*|JMX_PORT"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.merge("PATH", programs + File.pathSeparator, (path, first) -> first + path);
    Process shell = builder.start();
    try {
      assertTrue(shell.waitFor(MINUTES, TimeUnit.MINUTES), () -> "still running: " + read(output));
      assertEquals(0, shell.exitValue(), () -> read(output));
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly();
    }
    return read(output);
  }

  /** Replaces both ports at once, because a free one may contain the other. */
  private static String withFreePorts(String script) throws IOException {
    ClusterMember free = ClusterMember.cluster(1).get(0);
    Map<String, Integer> ports = Map.of("9092", free.port(), "9093", free.controllerPort());
    return PORT.matcher(script).replaceAll(port -> String.valueOf(ports.get(port.group())));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
