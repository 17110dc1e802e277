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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The machine, JVM and libraries of a run, as a table in Markdown. It contains no path and no host
 * name. Other systems than Linux tell less.
 */
final class MachineSheet {
  private static final String UNKNOWN = "not visible";
  private static final Path SYSTEM = Path.of("/sys/devices/system/cpu/cpu0");
  private static final double BYTES_PER_GIB = 1 << 30;

  /** An absolute path, up to the last of its names. */
  private static final Pattern FOLDERS =
      Pattern.compile("(?<![\\w.])(?:[A-Za-z]:)?[/\\\\](?:[^/\\\\:;,=]+[/\\\\])*");

  private MachineSheet() {}

  /**
   * Describes this machine and some rows.
   *
   * @param name the title
   * @param rows of JMH, before they are published
   * @param notes facts that only the caller knows, by name
   * @throws IOException if the manifest of this program cannot be read
   */
  static String markdown(String name, List<JsonNode> rows, Map<String, String> notes)
      throws IOException {
    Map<String, String> entries = machine();
    entries.put("JDK", all(rows, row -> text(row, "vmName") + " " + text(row, "vmVersion")));
    entries.put("flags", all(rows, row -> "`" + flags(row) + "`"));
    if (rows.get(0).has("jmhVersion")) { // rows of live brokers do not have it
      entries.put("JMH", all(rows, MachineSheet::lengths));
    }
    entries.put("libraries", libraries());
    entries.putAll(notes);
    Table table =
        new Table(
            List.of("", ""),
            entries.entrySet().stream().map(e -> List.of(e.getKey(), e.getValue())).toList());
    return "# " + name + "\n\n" + table.markdown();
  }

  private static Map<String, String> machine() {
    String cpu = read(Path.of("/proc/cpuinfo"));
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put(
        "CPU",
        "%s, family %s, model %s%s"
            .formatted(
                group("(?m)^model name\\s*: (.*)$", cpu),
                group("(?m)^cpu family\\s*: (.*)$", cpu),
                group("(?m)^model\\s*: (.*)$", cpu),
                cpu.contains(" hypervisor ") ? ", in a virtual machine" : ""));
    entries.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    entries.put("caches", caches());
    entries.put("governor", read(SYSTEM.resolve("cpufreq/scaling_governor")));
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    entries.put("memory", Math.round(system.getTotalMemorySize() / BYTES_PER_GIB) + " GiB");
    entries.put(
        "huge pages",
        group("\\[(\\w+)]", read(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))));
    entries.put(
        "kernel",
        Stream.of("os.name", "os.version", "os.arch")
            .map(System::getProperty)
            // A kernel's version may continue with the name of whoever built it.
            .map(each -> each.replaceFirst("^([\\d.]+).*", "$1"))
            .collect(Collectors.joining(" ")));
    return entries;
  }

  private static String caches() {
    String caches =
        IntStream.iterate(0, i -> Files.exists(SYSTEM.resolve("cache/index" + i)), i -> i + 1)
            .mapToObj(i -> SYSTEM.resolve("cache/index" + i))
            .map(
                cache ->
                    "L%s %s %s"
                        .formatted(
                            read(cache.resolve("level")),
                            read(cache.resolve("type")),
                            read(cache.resolve("size"))))
            .collect(Collectors.joining(", "));
    return caches.isEmpty() ? UNKNOWN : caches;
  }

  private static String group(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? matcher.group(1) : UNKNOWN;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String all(List<JsonNode> rows, Function<JsonNode, String> text) {
    Set<String> texts =
        rows.stream().map(text).collect(Collectors.toCollection(LinkedHashSet::new));
    return String.join("; ", texts);
  }

  private static String text(JsonNode row, String field) {
    return row.path(field).asText();
  }

  /** Returns the flags of the JVM without the folders in them. */
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
                .map(field -> text(row, field))
                .toArray());
  }

  /** Reads the versions that the build writes into the manifest of the measured jar. */
  private static String libraries() throws IOException {
    try (InputStream manifest = MachineSheet.class.getResourceAsStream("/META-INF/MANIFEST.MF")) {
      String value =
          manifest == null
              ? null
              : new Manifest(manifest).getMainAttributes().getValue("Measured-Libraries");
      return value == null ? UNKNOWN : value;
    }
  }
}
