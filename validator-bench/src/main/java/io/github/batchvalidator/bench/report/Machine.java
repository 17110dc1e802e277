// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a Linux system tells of its processor and memory; other systems tell less. */
final class Machine {
  static final String UNKNOWN = "not visible";
  private static final Path SYSTEM = Path.of("/sys/devices/system/cpu/cpu0");
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Pattern IN_BRACKETS = Pattern.compile("\\[(\\w+)]");
  private static final long GIB = 1L << 20;

  private Machine() {}

  static Map<String, String> describe() {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("CPU", cpu());
    entries.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
    entries.put("caches", caches());
    entries.put("governor", text(SYSTEM.resolve("cpufreq/scaling_governor")));
    entries.put("memory", memory());
    entries.put("huge pages", hugePages());
    entries.put(
        "kernel",
        Stream.of("os.name", "os.version", "os.arch")
            .map(System::getProperty)
            // Behind the numbers a kernel may carry the name of who built it.
            .map(each -> each.replaceFirst("^([\\d.]+).*", "$1"))
            .collect(Collectors.joining(" ")));
    return entries;
  }

  private static String cpu() {
    String info = text(CPU_INFO);
    String model =
        field(info, "model name")
            + ", family "
            + field(info, "cpu family")
            + ", model "
            + field(info, "model");
    return info.contains(" hypervisor ") ? model + ", in a virtual machine" : model;
  }

  private static String caches() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; Files.exists(SYSTEM.resolve("cache/index" + i)); i++) {
      Path cache = SYSTEM.resolve("cache/index" + i);
      text.append(text.isEmpty() ? "L" : ", L")
          .append(text(cache.resolve("level")))
          .append(' ')
          .append(text(cache.resolve("type")))
          .append(' ')
          .append(text(cache.resolve("size")));
    }
    return text.isEmpty() ? UNKNOWN : text.toString();
  }

  private static String memory() {
    Matcher kib = Pattern.compile("MemTotal:\\s+(\\d+)").matcher(text(Path.of("/proc/meminfo")));
    return kib.find() ? Math.round((double) Long.parseLong(kib.group(1)) / GIB) + " GiB" : UNKNOWN;
  }

  private static String hugePages() {
    Matcher chosen =
        IN_BRACKETS.matcher(text(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")));
    return chosen.find() ? chosen.group(1) : UNKNOWN;
  }

  private static String field(String info, String name) {
    Matcher field = Pattern.compile("^" + name + "\\s*: (.*)$", Pattern.MULTILINE).matcher(info);
    return field.find() ? field.group(1) : UNKNOWN;
  }

  private static String text(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return String.join("\n", lines);
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
