// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code ./bench} runs once JMH is done:
 *
 * <pre>
 * publish FILE.json [name=value]... RAW.json...   writes FILE.json, FILE.md and FILE.html
 * page FILE.json                                  writes FILE.html anew from the other two
 * compare EARLIER.json LATER.json                 1 if a row is slower beyond noise
 * tables ROOT                                     writes the tables of the documents anew
 * </pre>
 */
public final class ReportCommand {
  private static final int SLOWER = 1;
  private static final int WRONG = 2;
  private static final int FAILED = 3;

  private ReportCommand() {}

  /**
   * Runs a command and ends the JVM with its code: 0, 1 if something got slower, 2 if the files or
   * arguments are wrong, 3 if it fails by itself.
   *
   * @param args see above
   */
  public static void main(String[] args) {
    System.exit(run(System.out, System.err, args));
  }

  /** Runs a command; returns its code. */
  public static int run(PrintStream out, PrintStream err, String... args) {
    try {
      List<String> rest = List.of(args).subList(1, args.length);
      return switch (args[0]) {
        case "publish" -> publish(Path.of(rest.get(0)), rest.subList(1, rest.size()));
        case "page" -> page(Path.of(rest.get(0)));
        case "compare" -> compare(out, Path.of(rest.get(0)), Path.of(rest.get(1)));
        case "tables" -> tables(Path.of(rest.get(0)));
        default -> throw new IllegalArgumentException("no command " + args[0]);
      };
    } catch (IndexOutOfBoundsException e) {
      err.println("bench: publish, page, compare and tables need their files");
      return WRONG;
    } catch (IOException | IllegalArgumentException e) {
      err.println("bench: " + e.getMessage());
      return WRONG;
    } catch (RuntimeException e) { // the JVM would end with 1, which stands for something slower
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
        raw.add(Results.tree(Path.of(word)));
      }
    }
    List<JsonNode> rows = Rounds.pool(raw);
    write(file, Publication.of(rows), MachineSheet.of(rows, notes));
    return 0;
  }

  /**
   * Writes rows that are fit to be published, their sheet and their page.
   *
   * @param file of the rows; the others lie beside it
   * @param rows as JMH's
   * @param notes what only the caller knows of the machine and the run, by name
   * @throws IOException if a file cannot be written
   */
  public static void publish(Path file, List<JsonNode> rows, Map<String, String> notes)
      throws IOException {
    write(file, Publication.text(rows), MachineSheet.of(rows, notes));
  }

  private static void write(Path file, String rows, MachineSheet sheet) throws IOException {
    write(file, rows);
    write(beside(file, ".md"), sheet.markdown(name(file)));
    page(file);
  }

  private static int page(Path file) throws IOException {
    MachineSheet sheet = MachineSheet.read(beside(file, ".md"));
    write(beside(file, ".html"), new HtmlReport(name(file), Results.read(file), sheet).html());
    return 0;
  }

  private static int compare(PrintStream out, Path earlier, Path later) throws IOException {
    Comparison comparison = new Comparison(Results.read(earlier), Results.read(later));
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

  private static Path beside(Path file, String ending) {
    return file.resolveSibling(name(file) + ending);
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
