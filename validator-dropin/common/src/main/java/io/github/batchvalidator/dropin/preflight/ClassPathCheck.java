// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The check of the class path: the broker must find the {@code LogValidator} of the drop-in. */
final class ClassPathCheck {
  private static final String WHAT = "Class path";
  private static final String LOG_VALIDATOR = KafkaCheck.LOG_VALIDATOR + ".class";
  private static final String NAME = "validator-dropin-kafka-";

  private ClassPathCheck() {}

  static void check(BrokerStart start, ClassLoader broker, Findings findings) throws IOException {
    checkEntries(start, findings);
    checkWinner(start, winner(broker), findings);
    for (Path copy : dropIns(start.libs())) {
      findings.fix(
          WHAT, "remove " + copy + ": a jar in libs stays in use after CLASSPATH is taken back");
    }
  }

  private static void checkEntries(BrokerStart start, Findings findings) {
    if (start.entries().isEmpty()) {
      findings.note(
          WHAT, "CLASSPATH is not set here; start the broker with CLASSPATH=" + start.jar());
    }
    for (String entry : start.entries()) {
      if (!BrokerStart.isWildcard(entry) && !isReadable(entry)) {
        findings.fix(
            WHAT, entry + " does not exist or cannot be read, and Java ignores it silently");
      }
    }
  }

  private static boolean isReadable(String entry) {
    try {
      return Files.isReadable(Path.of(entry));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static void checkWinner(BrokerStart start, @Nullable Path winner, Findings findings)
      throws IOException {
    if (winner == null || !isDropIn(winner)) {
      findings.fix(
          WHAT,
          "the broker takes LogValidator from "
              + (winner == null ? "nowhere" : winner)
              + ": put "
              + start.jar()
              + " first in CLASSPATH");
    } else if (!Files.isSameFile(winner, start.jar())) {
      findings.fix(
          WHAT,
          "the broker takes LogValidator from "
              + winner
              + ", not from the jar of this command: use one jar for both");
    } else if (isNamed(winner, start)) {
      findings.ok(WHAT, winner + " comes before Kafka's jars");
    } else {
      findings.fix(
          WHAT, "name " + winner + " itself: Java gives the files of a wildcard any order");
    }
  }

  /** {@return true unless the jar is on the class path by a wildcard only} */
  private static boolean isNamed(Path winner, BrokerStart start) throws IOException {
    for (String entry : start.entries()) {
      if (isReadable(entry) && Files.isSameFile(Path.of(entry), winner)) {
        return true;
      }
    }
    return start.entries().isEmpty();
  }

  private static boolean isDropIn(Path entry) {
    return entry.getFileName().toString().startsWith(NAME) || hasOurs(entry);
  }

  private static boolean hasOurs(Path entry) {
    try (JarFile file = new JarFile(entry.toFile())) {
      return file.getManifest() != null
          && file.getManifest().getMainAttributes().getValue(KafkaCheck.LINE) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** {@return where the broker finds {@code LogValidator}: a jar or folder} */
  private static @Nullable Path winner(ClassLoader broker) throws IOException {
    URL url = broker.getResource(LOG_VALIDATOR);
    if (url == null) {
      return null;
    }
    try {
      if (url.openConnection() instanceof JarURLConnection connection) {
        return Path.of(connection.getJarFileURL().toURI());
      }
      Path file = Path.of(url.toURI());
      return file.getRoot().resolve(file.subpath(0, file.getNameCount() - depth()));
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static int depth() {
    return LOG_VALIDATOR.split("/", -1).length;
  }

  private static List<Path> dropIns(Path libs) throws IOException {
    try (Stream<Path> files = Files.list(libs)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(ClassPathCheck::isDropIn)
          .sorted()
          .toList();
    }
  }
}
