// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line with our jar first on its class path, whose appends are inspected early, as by the agent:
 * at an earlier time than that of the append, by a plan from another append.
 */
public final class EarlySide implements LineSide.Around {
  private static final Map<KafkaLine, EarlySide> OPEN = new EnumMap<>(KafkaLine.class);
  private static final String DROP_IN = "io.github.batchvalidator.dropin.DropIn";

  private final LineSide side;
  private final Object inspector;
  private final Method enter;
  private final Method leave;
  private final Object counts;
  private final Method stamped;
  private final Method fallbacks;
  private @Nullable Object lastAppend;
  private long earlierByMs;

  private EarlySide(KafkaLine line) throws ReflectiveOperationException {
    this(new LineSide(line, true));
  }

  /** Inspects the appends of a side early from now on. */
  public EarlySide(LineSide ours) throws ReflectiveOperationException {
    side = ours.around(this);
    ClassLoader loader = side.classes().validator().getClassLoader();
    inspector = Class.forName(DROP_IN, true, loader).getMethod("offLock").invoke(null);
    Class<?> type = inspector.getClass();
    enter =
        type.getMethod(
            "enter", Object.class, ByteBuffer.class, Object.class, Object.class, long.class);
    leave = type.getMethod("leave");
    counts = type.getMethod("counts").invoke(inspector);
    stamped = counts.getClass().getMethod("stamped");
    fallbacks = counts.getClass().getMethod("fallbacks");
  }

  /** Returns that of a line; it stays open as long as the JVM runs. */
  static synchronized EarlySide of(KafkaLine line) {
    return OPEN.computeIfAbsent(line, EarlySide::on);
  }

  private static EarlySide on(KafkaLine line) {
    try {
      return new EarlySide(line);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Appends to a new log, so that the next append can be planned. */
  public void appendFirst(Append append) {
    lastAppend = null;
    earlierByMs = 0;
    side.ask(append);
  }

  /** Returns the answer to an append that was inspected so many milliseconds earlier. */
  public Answer ask(Append append, long earlier) {
    earlierByMs = earlier;
    return side.ask(append);
  }

  @Override
  public void enter(Settings settings, Object records) throws ReflectiveOperationException {
    Object buffer = records.getClass().getMethod("buffer").invoke(records);
    Object origin = side.classes().constant("AppendOrigin", settings.origin());
    lastAppend =
        enter.invoke(
            inspector, records, buffer, origin, lastAppend, settings.nowMs() - earlierByMs);
  }

  @Override
  public void leave() throws ReflectiveOperationException {
    leave.invoke(inspector);
  }

  long stamped() {
    try {
      return (long) stamped.invoke(counts);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked") // of the JDK's own types, whatever loader they are seen from
  Map<String, Long> fallbacks() {
    try {
      return (Map<String, Long>) fallbacks.invoke(counts);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
