// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.rules;

import io.github.batchvalidator.dropin.policies.TopicPolicies;
import io.github.batchvalidator.policy.PolicyFile;
import io.github.batchvalidator.policy.PolicyFileException;
import io.github.batchvalidator.policy.SectionCounts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy file of a broker. A daemon thread looks at the file and at the files of schema ids
 * that it names every few seconds, and reads them again after a change.
 *
 * <p>The contents are compared, not sizes and times. The digest is of the bytes that were parsed,
 * so a change during a load is noticed at the next look.
 *
 * <p>A valid file replaces all rules at once. An invalid file changes nothing: the rules stay those
 * of the last valid file, or those of the broker-wide settings if there was none. The error is
 * logged at once and then once per minute until the file is valid. Safe for all threads.
 */
public final class PolicyWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);
  private static final long POLL_MS = 5_000;
  private static final long REMIND_MS = TimeUnit.MINUTES.toMillis(1);

  private final Path file;
  private final TopicPolicies policies;
  private final SectionCounts counts = new SectionCounts();
  private final LongSupplier clockMs;
  private final Logger log;

  /** Returns true if the files no longer have the content that was loaded or refused. */
  private BooleanSupplier changed = () -> true;

  private long remindedMs;

  /** The state of the file, for logs and JMX. Replaced as a whole. */
  private volatile State state = new State(0, "not read yet");

  /**
   * The state of the rules.
   *
   * @param loadedAtMs the time at which the rules in use were read, or 0 if none were
   * @param error why the file as it is now is not in use, or an empty text
   */
  public record State(long loadedAtMs, String error) {}

  /**
   * Creates a watch, which reads nothing before {@link #reload}.
   *
   * @param file the policy file
   * @param policies gets the rules
   */
  public PolicyWatch(Path file, TopicPolicies policies) {
    this(file, policies, System::currentTimeMillis, LOG);
  }

  PolicyWatch(Path file, TopicPolicies policies, LongSupplier clockMs, Logger log) {
    this.file = file;
    this.policies = policies;
    this.clockMs = clockMs;
    this.log = log;
  }

  /** Starts the thread. */
  public void start() {
    Thread thread = new Thread(this::watch, "batchvalidator-policy");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch() {
    while (true) {
      try {
        Thread.sleep(POLL_MS);
        poll();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        warn(e);
      }
    }
  }

  private void warn(Throwable thrown) {
    write(
        () ->
            log.warn(
                "The policy file {} could not be looked at; the rules stay as they are",
                file,
                thrown));
  }

  /** Writes a line. A log that fails ends neither the start of the broker nor the thread. */
  private static void write(Runnable line) {
    try {
      line.run();
    } catch (RuntimeException | Error e) {
      return; // for example without memory; the next line may succeed
    }
  }

  /** Reads the file again if it has changed, and repeats the error of an invalid one. */
  synchronized void poll() {
    if (changed.getAsBoolean()) {
      reload();
    } else if (!state.error().isEmpty() && isTimeToRemind()) {
      remind();
    }
  }

  /**
   * Reads the file now.
   *
   * @return an empty text, or why the file is refused
   */
  public synchronized String reload() {
    try {
      PolicyFile loaded = PolicyFile.load(file, policies.byDefault());
      changed = loaded::hasFileChanged;
      policies.replace(loaded);
      state = new State(clockMs.getAsLong(), "");
    } catch (PolicyFileException e) {
      changed = e::hasFileChanged;
      refuse(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) { // this must not end the start of the broker
      changed = this::isTimeToRemind;
      refuse(file + ": cannot be read: " + e);
    }
    String error = state.error();
    if (error.isEmpty()) {
      int sections = policies.sections().size();
      write(() -> log.info("The policy file {} is in use: {} sections", file, sections));
    }
    return error;
  }

  private boolean isTimeToRemind() {
    return clockMs.getAsLong() - remindedMs >= REMIND_MS;
  }

  private void refuse(String error) {
    state = new State(state.loadedAtMs(), error);
    remind();
  }

  private void remind() {
    remindedMs = clockMs.getAsLong();
    String kept =
        state.loadedAtMs() == 0
            ? "the broker-wide settings apply to all topics"
            : "the rules that were read before stay in use";
    String error = state.error();
    write(() -> log.error("The policy file {} is refused, {}:\n{}", file, kept, error));
  }

  /** {@return the state of the rules} */
  public State state() {
    return state;
  }

  /** {@return the policy file} */
  public Path file() {
    return file;
  }

  /** {@return the names of the sections in use} */
  public List<String> sections() {
    return policies.sections().stream().map(section -> section.name()).toList();
  }

  /** {@return the counts of batches by section} */
  public SectionCounts counts() {
    return counts;
  }
}
