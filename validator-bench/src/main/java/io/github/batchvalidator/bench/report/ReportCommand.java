// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The commands of {@code ./bench} that read results:
 *
 * <pre>
 * publish FILE.json [name=value]... RAW.json...  writes FILE.json, FILE.md and FILE.svg
 * show FILE.json                                 prints all figures as Markdown
 * compare EARLIER.json LATER.json                ends with 1 if a row is slower beyond noise
 * tables ROOT                                    updates the tables and charts of the documents
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
      List<String> rest = List.of(args).subList(1, args.length);
      return switch (args[0]) {
        case "publish" -> publish(Path.of(rest.get(0)), rest.subList(1, rest.size()));
        case "show" -> show(out, Path.of(rest.get(0)));
        case "compare" -> compare(out, Path.of(rest.get(0)), Path.of(rest.get(1)));
        case "tables" -> tables(Path.of(rest.get(0)));
        default -> throw new IllegalArgumentException("no command " + args[0]);
      };
    } catch (IndexOutOfBoundsException e) {
      err.println("bench: publish, show, compare and tables need their files");
      return WRONG;
    } catch (IOException | IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return WRONG;
    } catch (RuntimeException e) { // the JVM would end with 1, which means slower
      e.printStackTrace(err);
      return FAILED;
    }
  }

  private static int publish(Path file, List<String> words) throws IOException {
    Map<String, String> notes = new LinkedHashMap<>();
    List<JsonNode> raw = new ArrayList<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        notes.put(word.substring(0, equals), word.substring(equals + 1));
      } else {
        raw.add(Row.tree(Path.of(word)));
      }
    }
    publish(file, Publication.pool(raw), notes);
    return 0;
  }

  /**
   * Writes the file of some rows, and next to it the machine sheet and, if there is a ratio to
   * Kafka, the chart.
   *
   * @param file ends with {@code .json}
   * @param rows in JMH's form, one per cell
   * @param notes facts about the machine and the run, by name
   * @throws IOException if a file cannot be written
   */
  public static void publish(Path file, List<JsonNode> rows, Map<String, String> notes)
      throws IOException {
    Files.writeString(file, Publication.text(rows));
    Files.writeString(sibling(file, ".md"), MachineSheet.markdown(name(file), rows, notes));
    Optional<Table> ratios = Overview.ratios(Row.read(file));
    if (ratios.isPresent()) {
      Files.writeString(sibling(file, ".svg"), Chart.svg(name(file), ratios.get(), true));
    }
  }

  private static int show(PrintStream out, Path file) throws IOException {
    out.print(Overview.tables(Row.read(file)));
    return 0;
  }

  private static int compare(PrintStream out, Path earlier, Path later) throws IOException {
    Comparison comparison = new Comparison(Row.read(earlier), Row.read(later));
    if (comparison.lines().isEmpty()) {
      throw new IllegalArgumentException("the two files have no row in common");
    }
    out.print(comparison.text());
    return comparison.count(Comparison.Change.SLOWER) > 0 ? SLOWER : 0;
  }

  private static int tables(Path root) throws IOException {
    new Documents(root).update();
    return 0;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
  }

  private static Path sibling(Path file, String ending) {
    return file.resolveSibling(name(file) + ending);
  }
}
