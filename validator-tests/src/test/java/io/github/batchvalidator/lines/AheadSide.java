// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A line with our jar in front of its class path, whose appends are inspected ahead, as the agent
 * does it: at an earlier time than that of the append, by what another append has taught.
 */
final class AheadSide implements LineSide.Around {
  private static final Map<KafkaLine, AheadSide> OPEN = new EnumMap<>(KafkaLine.class);
  private static final String PACKAGE = "io.github.batchvalidator.dropin.";

  private final LineSide side;
  private final Method enter;
  private final Method leave;
  private final Object counts;
  private final Method stamped;
  private final Method fallbacks;
  private @Nullable Object known;
  private long earlierByMs;

  private AheadSide(KafkaLine line) throws ReflectiveOperationException {
    side = new LineSide(line, true).around(this);
    ClassLoader loader = side.classes().validator().getClassLoader();
    Class<?> hook = Class.forName(PACKAGE + "OffLock", true, loader);
    enter =
        open(
            hook.getDeclaredMethod(
                "enter", Object.class, ByteBuffer.class, Object.class, Object.class, long.class));
    leave = hook.getMethod("leave");
    counts = open(hook.getDeclaredMethod("counts")).invoke(null);
    stamped = open(counts.getClass().getDeclaredMethod("stamped"));
    fallbacks = open(counts.getClass().getDeclaredMethod("fallbacks"));
  }

  private static Method open(Method method) {
    method.setAccessible(true);
    return method;
  }

  /** Returns that of a line; it stays open as long as the JVM runs. */
  static synchronized AheadSide of(KafkaLine line) {
    return OPEN.computeIfAbsent(line, AheadSide::on);
  }

  private static AheadSide on(KafkaLine line) {
    try {
      return new AheadSide(line);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Forgets the log, and lets an append teach what is known of it. */
  void learn(Append append) {
    known = null;
    earlierByMs = 0;
    side.ask(append);
  }

  /** Returns the answer to an append that was inspected so many milliseconds earlier. */
  Answer ask(Append append, long earlier) {
    earlierByMs = earlier;
    return side.ask(append);
  }

  @Override
  public void enter(Settings settings, Object records) throws ReflectiveOperationException {
    Object buffer = records.getClass().getMethod("buffer").invoke(records);
    Object origin = side.classes().constant("AppendOrigin", settings.origin());
    known = enter.invoke(null, records, buffer, origin, known, settings.nowMs() - earlierByMs);
  }

  @Override
  public void leave() throws ReflectiveOperationException {
    leave.invoke(null);
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
