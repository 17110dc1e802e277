// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.batchvalidator.bench.report.Machine;
import io.github.batchvalidator.bench.report.Publication;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;

/** The main class of {@code ./bench quick} and {@code ./bench full}. */
public final class BenchRun {
  private static final int WRONG = 2;
  private static final int FAILED = 3;

  private BenchRun() {}

  /**
   * Measures and ends the JVM: with 0, with 2 if the words are wrong, with 3 if a run fails. The
   * files are written after each run, so that a later failure does not lose earlier results.
   *
   * @param args {@code quick} or {@code full}; the file of the results, or {@code -} to measure
   *     each cell once and write nothing; the commit; words for JMH
   */
  public static void main(String[] args) {
    System.exit(run(args));
  }

  private static int run(String... args) {
    try {
      boolean isPublished = !args[1].equals("-");
      String[] words = List.of(args).subList(3, args.length).toArray(String[]::new);
      Map<String, String> notes = new LinkedHashMap<>(Map.of("commit", args[2]));
      String before = Machine.load();
      List<RunResult> results = new ArrayList<>();
      for (Options each : Plan.of(args[0], isPublished ? -1 : 1, words)) {
        results.addAll(new Runner(each).run());
        if (isPublished) {
          notes.put("load average", before + " before, " + Machine.load() + " at the end");
          Publication.write(Path.of(args[1]), Publication.pool(List.of(json(results))), notes);
        }
      }
      return 0;
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      return WRONG;
    } catch (RunnerException | IOException e) {
      System.err.println("bench: " + e);
      return FAILED;
    }
  }

  private static JsonNode json(List<RunResult> results) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
    out.flush();
    return new ObjectMapper().readTree(bytes.toByteArray());
  }
}
