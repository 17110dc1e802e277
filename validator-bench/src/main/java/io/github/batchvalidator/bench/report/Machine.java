// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine, JVM and libraries of a run, without paths and host names. Values that only Linux
 * provides are unknown elsewhere.
 */
public final class Machine {
  private static final String UNKNOWN = "unknown";
  private static final double BYTES_PER_GIB = 1 << 30;

  /** An absolute path, up to the last of its names. */
  private static final Pattern FOLDERS =
      Pattern.compile("(?<![\\w.])(?:[A-Za-z]:)?[/\\\\](?:[^/\\\\:;,=]+[/\\\\])*");

  private Machine() {}

  /** Returns the load average of the last minute. */
  public static String load() {
    return String.format(
        Locale.ROOT, "%.2f", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /**
   * Returns a table in Markdown.
   *
   * @param rows of JMH, before they are published
   * @param notes facts that only the caller knows, by name
   */
  static String table(List<JsonNode> rows, Map<String, String> notes) throws IOException {
    JsonNode row = rows.get(0);
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("CPU", cpu());
    facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    facts.put("memory", Math.round(system.getTotalMemorySize() / BYTES_PER_GIB) + " GiB");
    facts.put(
        "kernel",
        Stream.of("os.name", "os.version", "os.arch")
            .map(System::getProperty)
            // The rest of a version may name the machine that built the kernel.
            .map(each -> each.replaceFirst("^([\\d.]+).*", "$1"))
            .collect(Collectors.joining(" ")));
    facts.put("JDK", row.path("vmName").asText() + " " + row.path("vmVersion").asText());
    facts.put("flags", "`" + flags(row) + "`");
    if (row.has("jmhVersion")) { // rows of live brokers do not have it
      facts.put("JMH", lengths(row));
    }
    facts.put("libraries", libraries());
    facts.putAll(notes);
    return facts.entrySet().stream()
        .map(fact -> "| " + fact.getKey() + " | " + fact.getValue() + " |\n")
        .collect(Collectors.joining("", "| | |\n|---|---|\n", ""));
  }

  private static String cpu() throws IOException {
    Path file = Path.of("/proc/cpuinfo");
    String cpu = Files.isReadable(file) ? Files.readString(file) : "";
    return "%s, family %s, model %s%s"
        .formatted(
            field("model name", cpu),
            field("cpu family", cpu),
            field("model", cpu),
            cpu.contains(" hypervisor ") ? ", in a virtual machine" : "");
  }

  private static String field(String name, String cpu) {
    Matcher matcher = Pattern.compile("(?m)^" + name + "\\s*: (.*)$").matcher(cpu);
    return matcher.find() ? matcher.group(1) : UNKNOWN;
  }

  private static String flags(JsonNode row) {
    List<String> flags = new ArrayList<>();
    row.path("jvmArgs").forEach(flag -> flags.add(FOLDERS.matcher(flag.asText()).replaceAll("")));
    return String.join(" ", flags);
  }

  private static String lengths(JsonNode row) {
    return "%s, mode %s, %s forks, warm-up %s x %s, measured %s x %s"
        .formatted(
            Stream.of(
                    "jmhVersion",
                    "mode",
                    "forks",
                    "warmupIterations",
                    "warmupTime",
                    "measurementIterations",
                    "measurementTime")
                .map(field -> row.path(field).asText())
                .toArray());
  }

  /** Reads the versions that the build writes into the manifest of the measured jar. */
  private static String libraries() throws IOException {
    try (InputStream manifest = Machine.class.getResourceAsStream("/META-INF/MANIFEST.MF")) {
      return Optional.ofNullable(
              manifest == null
                  ? null
                  : new Manifest(manifest).getMainAttributes().getValue("Measured-Libraries"))
          .orElse(UNKNOWN);
    }
  }
}
