// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command of a drop-in jar: {@code java -jar JAR --preflight KAFKA_HOME}, with options.
 *
 * <p>Exit codes: 0 if there is nothing to fix, 1 if there is, 2 for a usage error.
 */
public final class Main {
  private static final int USAGE_ERROR = 2;
  private static final String PREFLIGHT = "--preflight";
  private static final String POLICY = "--policy";
  private static final String SERVER = "--server-properties";
  private static final List<String> OPTIONS = List.of(PREFLIGHT, POLICY, SERVER);

  private static final String HELP =
      """
      Usage: java [-Dbatchvalidator.NAME=VALUE...] -jar JAR --preflight KAFKA_HOME [--policy FILE]
                  [--server-properties FILE]

      Checks an installation of Kafka before a broker is started with this jar. Changes nothing.
      Run it as the broker's user and with the variables that the broker starts with: CLASSPATH,
      KAFKA_OPTS, JAVA_HOME, KAFKA_HEAP_OPTS, KAFKA_JVM_PERFORMANCE_OPTS, KAFKA_JMX_OPTS, JMX_PORT.

        --preflight KAFKA_HOME    the folder with Kafka's bin and libs
        --policy FILE             check this policy file, as -Dbatchvalidator.policy=FILE
        --server-properties FILE  try hard links in the log directories of this broker
        --help                    print this text

      Exit codes: 0 nothing to fix, 1 something to fix, 2 usage error.
      """;

  private Main() {}

  /**
   * Runs the preflight and ends the JVM.
   *
   * @param arguments as above
   */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    Deque<String> rest = new ArrayDeque<>(List.of(arguments));
    String home = null;
    String server = null;
    while (!rest.isEmpty()) {
      String option = rest.remove();
      if (option.equals("--help")) {
        System.out.print(HELP);
        return 0;
      }
      String value = rest.poll();
      if (!OPTIONS.contains(option)) {
        return usage("unknown argument " + option);
      }
      if (value == null) {
        return usage(option + " needs a value");
      }
      switch (option) {
        case POLICY -> System.setProperty("batchvalidator.policy", value);
        case SERVER -> server = value;
        default -> home = value;
      }
    }
    return home == null ? usage(PREFLIGHT + " KAFKA_HOME is missing") : preflight(home, server);
  }

  private static int usage(String mistake) {
    System.err.println("Preflight: " + mistake + ". Try --help.");
    return USAGE_ERROR;
  }

  private static int preflight(String home, @Nullable String server) {
    Path folder = folder(home);
    if (folder == null) {
      return usage(home + " is no folder of Kafka: it has no folder libs with jars");
    }
    try {
      Path jar = ownJar();
      List<Path> classPath = BrokerStart.read(folder, jar).classPath();
      try (URLClassLoader loader = BrokerStart.loader(jar, classPath)) {
        Thread.currentThread().setContextClassLoader(loader);
        Object passed =
            Class.forName(Main.class.getPackageName() + ".Preflight", true, loader)
                .getMethod("run", Path.class, Path.class, Path.class)
                .invoke(null, folder, jar, server == null ? null : Path.of(server));
        return Boolean.TRUE.equals(passed) ? 0 : 1;
      }
    } catch (InvocationTargetException e) {
      System.err.println("Preflight: failed: " + e.getCause());
      return 1;
    } catch (IOException
        | ReflectiveOperationException
        | URISyntaxException
        | InvalidPathException e) {
      System.err.println("Preflight: failed: " + e);
      return 1;
    }
  }

  private static @Nullable Path folder(String home) {
    try {
      Path folder = Path.of(home).toAbsolutePath().normalize();
      return BrokerStart.jars(folder.resolve(BrokerStart.LIBS)).isEmpty() ? null : folder;
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }

  private static Path ownJar() throws URISyntaxException {
    return Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
