// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.Machine;
import io.github.batchvalidator.bench.report.Publication;
import io.github.batchvalidator.testkit.broker.BrokerJars;
import io.github.batchvalidator.testkit.broker.BrokerProcess;
import io.github.batchvalidator.testkit.broker.GuestMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The main class of {@code ./bench broker}: brokers of all contenders take turns under the same
 * load, on the JDK that runs this class.
 */
public final class BrokerBench {
  private static final int WRONG = 2;
  private static final int FAILED = 3;
  private static final String NOTE = "--note:";
  private static final String COMMIT = "commit";

  private BrokerBench() {}

  /**
   * Measures and ends the JVM: with 0, with 2 if the arguments are wrong, with 3 if a run fails.
   *
   * @param args the folder of the repository, then the words of {@link Options}, and for the
   *     machine sheet {@code --note:name=value}
   * @throws InterruptedException if it is interrupted while it asks for its processors
   */
  public static void main(String[] args) throws InterruptedException {
    System.exit(run(args));
  }

  private static int run(String... args) throws InterruptedException {
    Map<String, String> notes = new LinkedHashMap<>();
    List<String> words = new ArrayList<>();
    for (String arg : List.of(args).subList(1, args.length)) {
      if (arg.startsWith(NOTE)) {
        String[] note = arg.substring(NOTE.length()).split("=", 2);
        notes.put(note[0], note[note.length - 1]);
      } else {
        words.add(arg);
      }
    }
    Options options;
    SlotFile slots;
    try {
      options = Options.parse(words);
      String commit = notes.getOrDefault(COMMIT, "unknown");
      slots = SlotFile.open(options, Processors.available(), commit);
    } catch (IllegalArgumentException | IOException e) {
      System.err.println("bench: " + e.getMessage());
      return WRONG;
    }
    try {
      measure(Path.of(args[0]), options, slots, notes);
      return 0;
    } catch (Exception e) {
      System.err.println("bench: " + e);
      e.printStackTrace();
      return FAILED;
    }
  }

  private static void measure(
      Path repository, Options options, SlotFile slots, Map<String, String> notes)
      throws Exception {
    BrokerJars jars =
        new BrokerJars(
            repository.resolve("validator-tests/brokers"),
            repository.resolve("validator-dropin"),
            BrokerBench.class.getPackage().getImplementationVersion(),
            List.of());
    Path folder = Files.createTempDirectory("broker-bench");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> cleanUp(folder)));
    Map<String, String> all = new LinkedHashMap<>();
    try (LiveRun run = new LiveRun(options, jars, folder, slots)) {
      all.putAll(run.description());
      all.put("libraries", libraries(jars.stock(options.line())));
      all.put("memory touched before", GuestMemory.touch(folder) + " MiB");
      all.putAll(notes);
      all.put(COMMIT, slots.commits());
      String before = Machine.load();
      run.measure(
          () -> {
            all.put("load average", before + " before, " + Machine.load() + " at the end");
            publish(slots, options, all);
          });
      if (options.profiler() != null) {
        Path flames = options.out().folder().resolve(options.fileName() + "-flames");
        run.profile(options.profiler(), flames);
        all.put("profile", "async-profiler, in a round of its own");
      }
      publish(slots, options, all);
    } catch (Exception e) {
      keepLogs(folder, options.out().folder().resolve(options.fileName() + "-failed"));
      throw e;
    }
  }

  /** Keeps the logs of failed brokers, because their folder is deleted. */
  private static void keepLogs(Path folder, Path kept) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path log : files.filter(each -> each.endsWith("server.log")).toList()) {
        Path copy = kept.resolve(folder.relativize(log).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    System.err.println("bench: the logs of the brokers are in " + kept);
  }

  private static void publish(SlotFile slots, Options options, Map<String, String> notes)
      throws IOException {
    Path file = options.out().folder().resolve(options.fileName() + ".json");
    List<String> flags = new ArrayList<>(BrokerProcess.SCRIPT_OPTIONS);
    flags.addAll(LiveBrokers.OPTIONS);
    Measured measured = slots.measured();
    Publication.write(file, measured.rows(slots.rounds(), flags), notes, LiveReport.of(measured));
    System.err.println("bench: wrote " + file + " and .md");
  }

  /** Returns the names of the jars in which a broker spends its time. */
  private static String libraries(List<Path> jars) {
    return jars.stream()
        .map(jar -> String.valueOf(jar.getFileName()).replace(".jar", ""))
        .filter(jar -> jar.matches("(kafka-storage|zstd-jni|lz4-java|snappy-java)-\\d.*"))
        .collect(Collectors.joining(", "));
  }

  /** Kills all children: one that survives would load the machine or fill its disk. */
  private static void cleanUp(Path folder) {
    List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
    children.forEach(ProcessHandle::destroyForcibly);
    children.forEach(child -> child.onExit().join());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) { // such as a file that was deleted meanwhile
      System.err.println("bench: not all of " + folder + " could be deleted: " + e);
    }
  }
}
