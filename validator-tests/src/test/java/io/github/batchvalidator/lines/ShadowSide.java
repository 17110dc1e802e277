// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A line with our jar first on its class path, in shadow mode. */
final class ShadowSide implements AutoCloseable {
  private static final Map<KafkaLine, ShadowSide> OPEN = new EnumMap<>(KafkaLine.class);
  private static final String SETTING = "batchvalidator.shadow";
  private static final String DROP_IN = "io.github.batchvalidator.dropin.DropIn";

  private final LineSide side;
  private final @Nullable Object shadow;

  private ShadowSide(LineSide side) throws ReflectiveOperationException {
    this.side = side;
    System.setProperty(SETTING, "true");
    try {
      ClassLoader loader = side.classes().validator().getClassLoader();
      shadow = Class.forName(DROP_IN, true, loader).getMethod("shadow").invoke(null);
    } finally {
      System.clearProperty(SETTING);
    }
  }

  /** Returns that of a line; it stays open as long as the JVM runs. */
  static synchronized ShadowSide of(KafkaLine line) {
    return OPEN.computeIfAbsent(line, it -> on(it, it.ours()));
  }

  static ShadowSide on(KafkaLine line, List<Path> path) {
    try {
      return new ShadowSide(new LineSide(line, path));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  boolean isInTheShadow() {
    return shadow != null;
  }

  Answer ask(Append append) {
    return side.ask(append);
  }

  long appends() {
    return (long) ask("appends");
  }

  long differing() {
    return (long) ask("differing");
  }

  @SuppressWarnings("unchecked") // of the JDK's own types, whatever loader they are seen from
  Map<String, Long> kinds() {
    return (Map<String, Long>) ask("kinds");
  }

  @SuppressWarnings("unchecked") // as above
  Map<String, String> samples() {
    return (Map<String, String>) ask("samples");
  }

  private Object ask(String name) {
    try {
      Object known = Objects.requireNonNull(shadow, "there is no shadow");
      Object counts = known.getClass().getMethod("counts").invoke(known);
      return counts.getClass().getMethod(name).invoke(counts);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    side.close();
  }
}
