// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The classes that a JVM has loaded, and their sources, from {@code -Xlog:class+load}. */
public final class LoadedClasses {
  /** The class of Kafka whose place ours takes. */
  public static final String LOG_VALIDATOR = "org.apache.kafka.storage.internals.log.LogValidator";

  private static final Pattern LINE = Pattern.compile("\\] (\\S+) source: (?:file:)?(\\S+)");

  /** The first word of {@code shared objects file}: a CDS archive or an AOT cache. */
  private static final String ARCHIVE = "shared";

  private final Map<String, String> sources = new TreeMap<>();

  private LoadedClasses() {}

  static LoadedClasses read(Path file) throws IOException {
    LoadedClasses loaded = new LoadedClasses();
    for (String line : Files.readAllLines(file)) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.find()) {
        loaded.sources.put(matcher.group(1), matcher.group(2));
      }
    }
    return loaded;
  }

  /** Tells whether a class was loaded. */
  public boolean has(String className) {
    return sources.containsKey(className);
  }

  /** Returns the file names of the jars that a class and its nested ones were taken from. */
  public Set<String> jarsOf(String className) {
    Set<String> jars = new TreeSet<>();
    sources.forEach(
        (name, source) -> {
          boolean is = name.equals(className) || name.startsWith(className + "$");
          if (is && source.endsWith(".jar")) { // else it was made by the JVM, as lambdas are
            jars.add(source.substring(source.lastIndexOf('/') + 1));
          }
        });
    return jars;
  }

  /** Returns those in whose name a pattern is found. */
  public LoadedClasses matching(Pattern name) {
    LoadedClasses some = new LoadedClasses();
    some.sources.putAll(sources);
    some.sources.keySet().removeIf(each -> !name.matcher(each).find());
    return some;
  }

  /** Returns how many there are. */
  public int size() {
    return sources.size();
  }

  /** Returns how many of them came from a CDS archive or an AOT cache. */
  public int archived() {
    return Collections.frequency(sources.values(), ARCHIVE);
  }

  /** Returns the names of the classes of a package and of those below it. */
  public Set<String> of(String packageName) {
    Set<String> names = new TreeSet<>(sources.keySet());
    names.removeIf(name -> !name.startsWith(packageName + "."));
    return names;
  }
}
