// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import io.github.batchvalidator.dropin.settings.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** The check of the agents: each file exists, and ours knows the broker's {@code UnifiedLog}. */
final class AgentCheck {
  private static final String WHAT = "Agent";
  private static final String OPTION = "-javaagent:";
  private static final String OURS = "io.github.batchvalidator.agent.OffLockAgent";

  private AgentCheck() {}

  /** {@return true if an option names our agent} */
  static boolean isUsed(BrokerStart start) {
    return start.valuesOf(OPTION).stream().anyMatch(value -> OURS.equals(premain(file(value))));
  }

  static void check(BrokerStart start, ClassLoader broker, List<Path> logs, Findings findings)
      throws IOException {
    if (!isUsed(start) && Settings.hasOfAgent(System.getProperties())) {
      findings.fix(WHAT, Settings.OF_AGENT + "* has no effect without the agent");
    }
    for (String value : start.valuesOf(OPTION)) {
      String file = file(value);
      String premain = premain(file);
      if (premain == null) {
        findings.fix(
            WHAT, "the broker does not start, because this file is no readable agent: " + file);
      } else if (premain.equals(OURS)) {
        checkOurs(Path.of(file), broker, logs, findings);
      } else {
        findings.ok(WHAT, file + " exists");
      }
    }
  }

  private static String file(String value) {
    int arguments = value.indexOf('=');
    return arguments < 0 ? value : value.substring(0, arguments);
  }

  /** {@return the class that starts an agent, or null if the file is no agent's jar} */
  private static @Nullable String premain(String file) {
    try {
      Path path = Path.of(file);
      if (!Files.isReadable(path)) {
        return null;
      }
      try (JarFile jar = new JarFile(path.toFile())) {
        Manifest manifest = jar.getManifest();
        return manifest == null ? null : manifest.getMainAttributes().getValue("Premain-Class");
      }
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  private static void checkOurs(Path agent, ClassLoader broker, List<Path> logs, Findings findings)
      throws IOException {
    URL[] jar = {agent.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(jar, AgentCheck.class.getClassLoader())) {
      Object fault =
          Class.forName(OURS, true, loader)
              .getMethod("examine", ClassLoader.class)
              .invoke(null, broker);
      if ("".equals(fault)) {
        findings.ok(WHAT, agent + " knows this broker's UnifiedLog");
      } else {
        findings.fix(WHAT, String.valueOf(fault));
      }
      checkStored(loader, broker, logs, findings);
    } catch (ReflectiveOperationException | LinkageError e) {
      findings.fix(WHAT, agent + " is of another version than the drop-in jar (" + e + ")");
    }
  }

  /** Checks the agent's parts for stored batches, which an agent of another version may lack. */
  private static void checkStored(
      ClassLoader agent, ClassLoader broker, List<Path> logs, Findings findings)
      throws ReflectiveOperationException {
    Object answers =
        Class.forName(OURS, true, agent)
            .getMethod("examineStored", ClassLoader.class, List.class)
            .invoke(null, broker, logs);
    for (Object each : (List<?>) answers) {
      String[] answer = each.toString().split(" ", 2);
      switch (answer[0]) {
        case "ok" -> findings.ok(WHAT, answer[1]);
        case "note" -> findings.note(WHAT, answer[1]);
        default -> findings.fix(WHAT, answer[1]);
      }
    }
  }
}
