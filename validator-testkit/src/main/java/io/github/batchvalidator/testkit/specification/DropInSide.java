// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import io.github.batchvalidator.lines.Answer;
import io.github.batchvalidator.lines.Append;
import io.github.batchvalidator.lines.KafkaLine;
import io.github.batchvalidator.lines.LineSide;
import io.github.batchvalidator.lines.Settings;
import io.github.batchvalidator.rule.Reason;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line's stock class and our jar, in separate class loaders. The rules of the jar are replaced
 * from policy files without a new JVM. Confined to one thread.
 */
final class DropInSide implements LineSide.Around, StockLine {
  private static final String ROOT = "io.github.batchvalidator.";
  private static final String POLICY = "batchvalidator.policy";
  private static final List<Reason> FINDINGS =
      Arrays.stream(Reason.values()).filter(Reason::isFinding).toList();

  private final KafkaLine line;
  private final LineSide stock;
  private final LineSide ours;
  private final ClassLoader loader;
  private final Object policies;
  private final Field rules;
  private Object earlierRules;
  private final Object watch;
  private final Method poll;
  private final Object sections;
  private final Method refusedOf;
  private final Method foundOf;
  private final Object inspector;
  private final Method enter;
  private final Method leave;
  private final Object counts;
  private final Method found;
  private final List<Object> theirReasons = new ArrayList<>();
  private final Object gate;
  private final Method mode;
  private @Nullable Object lastAppend;
  private boolean isEarly;
  private @Nullable Object rulesOfAppend;
  private long earlierByMs;

  /**
   * Starts a jar whose broker has a policy file.
   *
   * @param file a valid policy file
   */
  DropInSide(KafkaLine line, Path file) throws ReflectiveOperationException {
    this.line = line;
    stock = new LineSide(line, false);
    System.setProperty(POLICY, file.toString());
    ours = new LineSide(line, true).around(this);
    loader = ours.classes().validator().getClassLoader();
    Class<?> dropIn = type("dropin.DropIn");
    watch = field(accessible(dropIn.getDeclaredField("SHARED")).get(null), "watch");
    System.clearProperty(POLICY);
    poll = watch.getClass().getDeclaredMethod("poll");
    poll.setAccessible(true);
    sections = watch.getClass().getMethod("counts").invoke(watch);
    refusedOf = sections.getClass().getMethod("refused", String.class);
    foundOf = sections.getClass().getMethod("found", String.class);
    Object runtime = dropIn.getMethod("runtime").invoke(null);
    policies = field(runtime, "policies");
    rules = accessible(policies.getClass().getDeclaredField("rules"));
    earlierRules = rules.get(policies);
    inspector = dropIn.getMethod("offLock").invoke(null);
    enter =
        inspector
            .getClass()
            .getMethod(
                "enter", Object.class, ByteBuffer.class, Object.class, Object.class, long.class);
    leave = inspector.getClass().getMethod("leave");
    counts = dropIn.getMethod("counts").invoke(null);
    Class<?> reason = type("rule.Reason");
    found = counts.getClass().getMethod("found", reason);
    for (Reason each : FINDINGS) {
      theirReasons.add(constant(reason, each.name()));
    }
    Class<?> gates = type("internal.codec.snappy.WalkGate");
    gate = accessible(gates.getDeclaredField("SHARED")).get(null);
    mode = gates.getDeclaredMethod("mode", type("internal.codec.snappy.WalkGate$Mode"));
    mode.setAccessible(true);
  }

  private Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(ROOT + name, true, loader);
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    return accessible(of.getClass().getDeclaredField(name)).get(of);
  }

  private static Field accessible(Field field) {
    field.setAccessible(true);
    return field;
  }

  private static Object constant(Class<?> type, String name) {
    for (Object constant : Objects.requireNonNull(type.getEnumConstants())) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalStateException(type + " has no " + name);
  }

  /**
   * Reads the policy file as at the start of a broker.
   *
   * @param brokerWide settings of the broker, with the names of the file
   * @return an empty text, or why the file is refused
   */
  String restart(Map<String, String> brokerWide) {
    try {
      accessible(policies.getClass().getDeclaredField("byDefault"))
          .set(policies, PolicySections.brokerWide(loader, brokerWide));
      String error = (String) watch.getClass().getMethod("reload").invoke(watch);
      earlierRules = rules.get(policies);
      return error;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Looks for a change of the policy file, as a broker does every few seconds.
   *
   * @return an empty text, or why the file is refused
   */
  String poll() {
    try {
      poll.invoke(watch);
      Object state = watch.getClass().getMethod("state").invoke(watch);
      return (String) state.getClass().getMethod("error").invoke(state);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a log without a last append. */
  void newLog() {
    lastAppend = null;
  }

  /** Opens, shuts or measures the gate of the walk over compressed Snappy. */
  void gate(String name) {
    try {
      mode.invoke(gate, constant(mode.getParameterTypes()[0], name));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  Answer stock(Append append, String topic) {
    return stock.topic(topic).ask(append);
  }

  Answer ours(Append append, String topic) {
    isEarly = false;
    return ours.topic(topic).ask(append);
  }

  /**
   * Appends after an inspection that many milliseconds earlier, by the settings of the last one.
   */
  Answer early(Append append, String topic, long earlier) {
    isEarly = true;
    earlierByMs = earlier;
    return ours.topic(topic).ask(append);
  }

  /** Plans the next early inspection by rules that are replaced between it and its append. */
  void replaceRulesDuring(Append append, String topic) {
    try {
      Object current = rules.get(policies);
      rules.set(policies, earlierRules);
      early(append, topic, 0);
      rulesOfAppend = current;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public KafkaLine line() {
    return line;
  }

  @Override
  public boolean same(byte[] one, byte[] other) {
    return stock.readAll(one).equals(stock.readAll(other));
  }

  @Override
  public void enter(Settings settings, Object records) throws ReflectiveOperationException {
    if (isEarly) {
      Object buffer = records.getClass().getMethod("buffer").invoke(records);
      Object origin = ours.classes().constant("AppendOrigin", settings.origin());
      long now = settings.nowMs() - earlierByMs;
      lastAppend = enter.invoke(inspector, records, buffer, origin, lastAppend, now);
      if (rulesOfAppend != null) {
        rules.set(policies, rulesOfAppend);
        rulesOfAppend = null;
      }
    }
  }

  @Override
  public void leave() throws ReflectiveOperationException {
    if (isEarly) {
      leave.invoke(inspector);
    }
  }

  /** Returns the number of appends that were only stamped, after an early verdict. */
  long stamped() {
    try {
      Object counts = inspector.getClass().getMethod("counts").invoke(inspector);
      return (long) counts.getClass().getMethod("stamped").invoke(counts);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The counts of the jar.
   *
   * @param reasons how often each reason was found, in the order of {@link #FINDINGS}; empty if
   *     nothing is reported
   * @param refused batches of the section
   * @param found batches of the section
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Counted(long[] reasons, long refused, long found) {
    /** Returns what was counted since. */
    Added since(Counted before) {
      Map<Reason, Long> added = new EnumMap<>(Reason.class);
      for (int i = 0; i < reasons.length; i++) {
        if (reasons[i] != before.reasons[i]) {
          added.put(FINDINGS.get(i), reasons[i] - before.reasons[i]);
        }
      }
      return new Added(added, refused - before.refused, found - before.found);
    }
  }

  /**
   * The counts that an append has added.
   *
   * @param reasons how often each reason was found, without those that were not
   * @param refused batches of the section
   * @param found batches of the section with findings
   */
  record Added(Map<Reason, Long> reasons, long refused, long found) {}

  /** Returns what was counted so far, and by a section. */
  Counted counted(ModelSection section) {
    try {
      long[] reasons = new long[section.reports() ? theirReasons.size() : 0];
      for (int i = 0; i < reasons.length; i++) {
        reasons[i] = (long) found.invoke(counts, theirReasons.get(i));
      }
      return new Counted(
          reasons,
          (long) refusedOf.invoke(sections, section.name),
          (long) foundOf.invoke(sections, section.name));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
