// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shadow mode: Kafka's validator, found behind ours on the class path, answers every append, ours
 * works on a copy beside it, and differences are counted. One per broker, safe for all threads.
 */
public final class Shadow {
  private final ShadowCounts counts = new ShadowCounts();
  private final @Nullable LineCalls stock;
  private final @Nullable LineTypes types;
  private final String state;
  private volatile @Nullable LineCalls ours;

  private Shadow(@Nullable LineCalls stock, @Nullable LineTypes types, String state) {
    this.stock = stock;
    this.types = types;
    this.state = state;
  }

  /**
   * Looks for Kafka's class. Where it is not, there is nobody whose answer could be served: then
   * ours is, as without shadow mode, rather than that every append fails for a setting that is
   * meant to be harmless.
   *
   * @param loader that ours was loaded by
   */
  static Shadow link(@Nullable ClassLoader loader) {
    try {
      Class<?> stock =
          StockClass.load(loader == null ? ClassLoader.getSystemClassLoader() : loader);
      return new Shadow(
          new LineCalls(stock),
          new LineTypes(stock),
          "runs in the shadow of the LogValidator in "
              + StockClass.root(stock)
              + ", which answers");
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      return new Shadow(
          null,
          null,
          "has nothing to be the shadow of, and ANSWERS ITSELF, in the place of LogValidator ("
              + e
              + ")");
    }
  }

  /** {@return true if Kafka's class was found} */
  boolean isLinked() {
    return stock != null;
  }

  /** {@return who answers, for the log} */
  String describe() {
    return state;
  }

  /** {@return what was compared} */
  public ShadowCounts counts() {
    return counts;
  }

  /**
   * Makes what handles one append.
   *
   * @param ours the line's class
   * @param arguments of its constructor, and of Kafka's
   * @param <R> the line's {@code ValidationResult}
   * @param <C> the line's {@code LongRef}
   * @param <B> the line's {@code BufferSupplier}
   * @return Kafka's validator, with ours beside it
   */
  public <R, C, B> Validation<R, C, B> over(
      Class<? extends Validation<R, C, B>> ours, Object... arguments) {
    return new ShadowValidator<>(this, ours, arguments);
  }

  LineCalls stock() {
    return Objects.requireNonNull(stock);
  }

  LineTypes types() {
    return Objects.requireNonNull(types);
  }

  /** {@return how ours is called, found out once: there is one line in a broker} */
  LineCalls ours(Class<?> type) throws ReflectiveOperationException {
    LineCalls known = ours;
    if (known == null) {
      known = new LineCalls(type);
      ours = known;
    }
    return known;
  }
}
