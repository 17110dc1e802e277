// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** All checks. Loaded with the class path of the broker and the drop-in jar before it. */
public final class Preflight {
  private static final String DEFINE = "-D";

  private Preflight() {}

  /**
   * Runs all checks and prints the report.
   *
   * @param home the folder of Kafka
   * @param jar the drop-in jar
   * @param server the file of the broker's configuration, or null if it is not given
   * @return true if there is nothing to fix
   * @throws IOException if the jar, Kafka's folder or the file cannot be read
   */
  public static boolean run(Path home, Path jar, @Nullable Path server) throws IOException {
    BrokerStart start = BrokerStart.read(home, jar);
    List<Path> logs = server == null ? List.of() : LogDirectories.read(server);
    define(start);
    Attributes made = manifest(jar);
    Findings findings = new Findings();
    JvmCheck.check(start, findings);
    try (URLClassLoader broker = start.brokerLoader()) {
      ClassPathCheck.check(start, broker, findings);
      KafkaCheck.check(start, made, findings);
      CodecCheck.check(findings);
      SettingsCheck.check(start, findings);
      AgentCheck.check(start, broker, logs, findings);
    }
    AotCheck.check(start, findings);
    System.out.println(
        "Preflight of "
            + home
            + " with Batch Validator "
            + made.getValue(Attributes.Name.IMPLEMENTATION_VERSION)
            + " for Kafka "
            + made.getValue(KafkaCheck.LINE)
            + "\n");
    findings.lines().forEach(System.out::println);
    int toFix = findings.toFix();
    System.out.println("\n" + (toFix == 0 ? "Nothing to fix." : "To fix: " + toFix + "."));
    return toFix == 0;
  }

  /**
   * Sets the broker's system properties, which settings and codec libraries read. The last
   * definition of a name counts, as in the broker, but those of the preflight itself come first.
   */
  private static void define(BrokerStart start) {
    Map<String, String> last = new HashMap<>();
    for (String definition : start.valuesOf(DEFINE)) {
      int equals = definition.indexOf('=');
      String name = equals < 0 ? definition : definition.substring(0, equals);
      last.put(name, equals < 0 ? "" : definition.substring(equals + 1));
    }
    last.remove("");
    last.forEach((name, value) -> System.setProperty(name, System.getProperty(name, value)));
  }

  private static Attributes manifest(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes();
    }
  }
}
