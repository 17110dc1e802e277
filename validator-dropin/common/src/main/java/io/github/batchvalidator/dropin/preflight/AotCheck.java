// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The check of an AOT cache: a JVM with the broker's class path has to accept it. This JVM prints
 * its version and ends.
 */
final class AotCheck {
  private static final String WHAT = "AOT cache";
  private static final String CACHE = "-XX:AOTCache=";
  private static final String MODE = "-XX:AOTMode=";
  private static final String AGENT = "-javaagent:";

  private AotCheck() {}

  static void check(BrokerStart start, Findings findings) throws IOException {
    List<String> caches = start.valuesOf(CACHE);
    if (caches.isEmpty()) {
      return;
    }
    Process jvm =
        new ProcessBuilder(command(start, caches.get(caches.size() - 1)))
            .redirectErrorStream(true)
            .start();
    String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exit(jvm) == 0) {
      findings.ok(WHAT, "accepted with this class path");
      return;
    }
    boolean required = start.valuesOf(MODE).contains("on");
    findings.fix(
        WHAT,
        (required ? "the broker does not start" : "the broker starts slowly")
            + ", because the cache is refused. Train it again:\n"
            + output.lines().filter(AotCheck::isError).collect(Collectors.joining("\n")));
  }

  private static boolean isError(String line) {
    return line.toLowerCase(Locale.ROOT).contains("error");
  }

  private static int exit(Process jvm) {
    return jvm.onExit().join().exitValue();
  }

  /** An agent may open ports, so the module that it brings is named in its place. */
  private static List<String> command(BrokerStart start, String cache) {
    List<String> command = new ArrayList<>();
    command.add(start.java().toString());
    start.options().stream()
        .filter(option -> option.matches("-Xm[sx].*|-XX:[+-]Use\\w+|--add-modules=.*"))
        .forEach(command::add);
    if (!start.valuesOf(AGENT).isEmpty()) {
      command.add("--add-modules=java.instrument");
    }
    command.add(CACHE + cache);
    command.add(MODE + "on");
    command.add("-cp");
    command.add(
        start.classPath().stream()
            .map(entry -> entry.toString())
            .collect(Collectors.joining(File.pathSeparator)));
    command.add("-version");
    return command;
  }
}
