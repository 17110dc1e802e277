// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The commands of {@code ./bench} that read results:
 *
 * <pre>
 * compare EARLIER.json LATER.json        ends with 1 if a row is slower beyond noise
 * publish FILE.json COMMIT RAW.json...   writes what JMH wrote in several runs as one FILE.json and FILE.md
 * charts ROOT                            draws the charts of the README
 * </pre>
 */
public final class ReportCommand {
  private static final int SLOWER = 1;
  private static final int WRONG = 2;
  private static final int FAILED = 3;

  private ReportCommand() {}

  /**
   * Runs a command and ends the JVM: with 0, with 1 if a row is slower, with 2 if the files or
   * arguments are wrong, with 3 if the command itself fails.
   *
   * @param args the command and its arguments
   */
  public static void main(String[] args) {
    System.exit(run(System.out, System.err, args));
  }

  /** Runs a command; returns its exit code. */
  static int run(PrintStream out, PrintStream err, String... args) {
    try {
      return switch (args[0]) {
        case "compare" -> compare(out, Path.of(args[1]), Path.of(args[2]));
        case "publish" -> publish(Path.of(args[1]), args[2], List.of(args).subList(3, args.length));
        case "charts" -> charts(Path.of(args[1]));
        default -> throw new IllegalArgumentException("no command " + args[0]);
      };
    } catch (IOException | IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return WRONG;
    } catch (RuntimeException e) { // the JVM would end with 1, which means slower
      e.printStackTrace(err);
      return FAILED;
    }
  }

  private static int compare(PrintStream out, Path earlier, Path later) throws IOException {
    Comparison comparison = new Comparison(Row.read(earlier), Row.read(later));
    if (comparison.lines().isEmpty()) {
      throw new IllegalArgumentException("the two files have no row in common");
    }
    out.print(comparison.text());
    return comparison.count(Comparison.Change.SLOWER) > 0 ? SLOWER : 0;
  }

  private static int publish(Path file, String commit, List<String> raw) throws IOException {
    List<JsonNode> files = new ArrayList<>();
    for (String each : raw) {
      files.add(Row.tree(Path.of(each)));
    }
    Publication.write(file, Publication.pool(files), Map.of("commit", commit));
    return 0;
  }

  private static int charts(Path root) throws IOException {
    Charts.draw(root);
    return 0;
  }
}
