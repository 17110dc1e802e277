// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import io.github.batchvalidator.dropin.append.LineValidator;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shadow mode of a broker: Kafka's validator, found after ours on the class path, answers every
 * append. Ours validates a copy, and differences are counted. Safe for all threads.
 */
public final class Shadow {
  private final ShadowCounts counts = new ShadowCounts();
  private final @Nullable ValidatorPair validators;
  private final String state;

  private Shadow(@Nullable ValidatorPair validators, String state) {
    this.validators = validators;
    this.state = state;
  }

  /**
   * Looks for Kafka's class. If it is missing, ours answers as without shadow mode: a setting that
   * is meant to be harmless must not fail every append.
   *
   * @param loader the class loader of our classes, null for the bootstrap loader
   * @return shadow mode, {@linkplain #isLinked() linked} or not
   */
  public static Shadow link(@Nullable ClassLoader loader) {
    try {
      Class<?> stock =
          StockClass.load(loader == null ? ClassLoader.getSystemClassLoader() : loader);
      return new Shadow(
          new ValidatorPair(stock),
          "runs in the shadow of the LogValidator in "
              + StockClass.root(stock)
              + ", which answers");
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      return new Shadow(
          null,
          "cannot run in shadow mode and ANSWERS ITSELF, in place of LogValidator (" + e + ")");
    }
  }

  /** {@return true if Kafka's class was found} */
  public boolean isLinked() {
    return validators != null;
  }

  /** {@return which validator answers, for the log} */
  public String describe() {
    return state;
  }

  /** {@return the results of the comparisons} */
  public ShadowCounts counts() {
    return counts;
  }

  /**
   * Creates the validator of one append.
   *
   * @param ours our class for the Kafka line
   * @param arguments the arguments for the constructors of both classes
   * @param <R> the line's {@code ValidationResult}
   * @param <C> the line's {@code LongRef}
   * @param <M> the line's {@code MetricsRecorder}
   * @param <B> the line's {@code BufferSupplier}
   * @return a validator that answers as Kafka's and compares ours
   */
  public <R, C, M, B> LineValidator<R, C, M, B> validator(
      Class<? extends LineValidator<R, C, M, B>> ours, Object... arguments) {
    return new ShadowValidator<>(Objects.requireNonNull(validators), counts, ours, arguments);
  }
}
