// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import static org.junit.platform.engine.discovery.ClassNameFilter.excludeClassNamePatterns;
import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;

/**
 * The quick tests over and over in one JVM, classes and methods in another order each time, random
 * properties from other seeds: {@code scripts/repeats}.
 */
final class Repeats {
  private static final String ROOT = "io.github.batchvalidator";

  /**
   * What starts JVMs or brokers, or loads whole lines of Kafka, and so takes too long, and what
   * looks at files alone, which no run changes.
   */
  private static final String[] LEFT_OUT = {
    ".*\\.(agent|bench|broker|docs|hostile|lines|structure)\\..*",
    ".*\\.cli\\.((CheckPage|CheckScript|ManPage|Screens)Test|.*IT)",
    ".*\\.(MissingCodec|Memory|WatchedAllocation)Test",
    ".*\\.(AppendAllocation|Busy|KafkaOwn|MemoryThatRunsOut|ShadowSwitch|Soak)IT",
    ".*\\.(StrictAppends|WatchedAppends|WrongLine)IT",
  };

  /**
   * Besides what Maven leaves out: what does the same in one thread every time, such as a sweep
   * over all faults of a batch, or a count of what compiled code allocates.
   */
  private static final String[] TAGS_LEFT_OUT = {"slow", "broker", "python", "unvaried"};

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Map<String, Integer> failures = new TreeMap<>();
  private long fewestTests = Long.MAX_VALUE;
  private long mostTests;

  private Repeats() {}

  /**
   * Runs.
   *
   * @param args how many times, the first seed, the commit, where to write what came of it, and a
   *     regular expression of class names
   * @throws IOException if that cannot be written
   */
  public static void main(String[] args) throws IOException {
    int times = Integer.parseInt(args[0]);
    long seed = Long.parseLong(args[1]);
    long began = System.nanoTime();
    Repeats repeats = new Repeats();
    PrintStream out = System.out;
    for (int i = 0; i < times; i++) {
      repeats.run(seed + i, args[4]);
      long seconds = (System.nanoTime() - began) / NANOS_PER_SECOND;
      out.printf(
          "%d of %d, seed %d, %d s, %d tests, %d failures so far%n",
          i + 1, times, seed + i, seconds, repeats.mostTests, repeats.failed());
    }
    long seconds = (System.nanoTime() - began) / NANOS_PER_SECOND;
    Path report = Path.of(args[3]);
    Files.createDirectories(report.toAbsolutePath().getParent());
    Files.writeString(report, repeats.describe(args, seconds));
    System.exit(repeats.failures.isEmpty() && repeats.fewestTests > 0 ? 0 : 1);
  }

  private void run(long seed, String classes) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectPackage(ROOT))
            .filters(
                includeClassNamePatterns(classes),
                excludeClassNamePatterns(LEFT_OUT),
                excludeTags(TAGS_LEFT_OUT))
            .configurationParameter(
                "junit.jupiter.testclass.order.default",
                "org.junit.jupiter.api.ClassOrderer$Random")
            .configurationParameter(
                "junit.jupiter.testmethod.order.default",
                "org.junit.jupiter.api.MethodOrderer$Random")
            .configurationParameter(
                "junit.jupiter.execution.order.random.seed", Long.toString(seed))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    fewestTests = Math.min(fewestTests, summary.getTestsSucceededCount());
    mostTests = Math.max(mostTests, summary.getTestsSucceededCount());
    for (Failure failure : summary.getFailures()) {
      note(seed, failure);
    }
  }

  private void note(long seed, Failure failure) {
    TestIdentifier test = failure.getTestIdentifier();
    failures.merge(test.getUniqueId(), 1, Integer::sum);
    System.out.println(
        "seed " + seed + ": " + test.getUniqueId() + "\n  " + failure.getException());
  }

  private int failed() {
    return failures.values().stream().mapToInt(Integer::intValue).sum();
  }

  private String describe(String[] args, long seconds) {
    StringBuilder text = new StringBuilder(200);
    text.append(
        "%s times %d to %d tests in %d s, JDK %s, seed %s, commit %s: %d failures.%n"
            .formatted(
                args[0],
                fewestTests,
                mostTests,
                seconds,
                System.getProperty("java.version"),
                args[1],
                args[2],
                failed()));
    failures.forEach((test, count) -> text.append("- %d times `%s`%n".formatted(count, test)));
    return text.toString();
  }
}
