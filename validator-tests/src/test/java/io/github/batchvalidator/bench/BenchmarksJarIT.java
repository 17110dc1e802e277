// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.bench.body.Body;
import io.github.batchvalidator.dropin.line.LineAppend;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.junit.jupiter.api.Test;

/** {@code benchmarks.jar} holds what the contenders are named after, Kafka's class and ours. */
class BenchmarksJarIT {
  private static final Path BASE = Path.of(System.getProperty("basedir"));

  /** {@code bench.jar} is the name for the codecs that Maven was told to use. */
  private static final Path JAR =
      BASE.resolveSibling("validator-bench/target/" + System.getProperty("bench.jar") + ".jar");

  @Test
  void logValidatorIsThatOfKafka() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertArrayEquals(ofClassPath(LogValidator.class), read(jar, path(LogValidator.class)));
    }
  }

  @Test
  void theDropInAndTheContendersAreOurs() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (Class<?> each : new Class<?>[] {LineAppend.class, Body.class}) {
        assertArrayEquals(ofClassPath(each), read(jar, path(each)));
      }
    }
  }

  @Test
  void allBenchmarksAreListedAndStartedByOurMain() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      String list = new String(read(jar, "META-INF/BenchmarkList"), StandardCharsets.UTF_8);
      assertEquals(
          "AppendTimeStamp ColdStart HotPartition InPlaceValidation ManyPartitions"
              + " MixedTraffic Rebuild RecordWalk RejectedBatch RuleCost",
          Pattern.compile("io\\.github\\.batchvalidator\\.bench\\.([A-Z]\\w+)\\b")
              .matcher(list)
              .results()
              .map(found -> found.group(1))
              .collect(Collectors.toCollection(TreeSet::new))
              .stream()
              .collect(Collectors.joining(" ")));
      String main = jar.getManifest().getMainAttributes().getValue("Main-Class");
      assertEquals(Main.class.getName(), main);
    }
  }

  @Test
  void eachChoiceOfCodecsHasAnotherJar() throws IOException {
    Pattern profile = Pattern.compile("<id>codecs-([^<]+)</id>.*?</properties>", Pattern.DOTALL);
    List<MatchResult> profiles =
        profile.matcher(Files.readString(BASE.resolveSibling("pom.xml"))).results().toList();
    assertEquals(3, profiles.size());
    for (MatchResult each : profiles) {
      String jar = "<bench.jar>benchmarks-" + each.group(1) + "</bench.jar>";
      assertTrue(each.group().contains(jar), each.group());
    }
  }

  private static String path(Class<?> type) {
    return type.getName().replace('.', '/') + ".class";
  }

  private static byte[] ofClassPath(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream("/" + path(type))) {
      assertNotNull(in);
      return in.readAllBytes();
    }
  }

  private static byte[] read(JarFile jar, String path) throws IOException {
    ZipEntry entry = jar.getEntry(path);
    assertNotNull(entry, path);
    try (InputStream in = jar.getInputStream(entry)) {
      return in.readAllBytes();
    }
  }
}
