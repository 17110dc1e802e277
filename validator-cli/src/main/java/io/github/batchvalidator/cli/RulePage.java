// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a reason, from the document of all rules, which the build copies into the jar.
 *
 * <p>A reason is a row of a table or an item of a list, and starts with an anchor. What to do is a
 * row of a table in one of the pages for operators. Its first cell names reasons, or how they
 * start. Its second cell says what the reason suggests and, after a line break, what to do.
 */
final class RulePage {
  private static final String RULES = "/rules.md";
  private static final List<String> ACTIONS = List.of("/check.md", "/audit.md", "/compare.md");
  private static final String HEADING = "## ";
  private static final String ROW = "| ";
  private static final String ITEM = "- ";
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"[a-z0-9_]+\"></a>");
  private static final Pattern SEE_PAGE = Pattern.compile(" ?\\(\\[[^]]+\\.md]\\([^)]*\\)\\)");
  private static final Pattern ASIDE = Pattern.compile(" ?\\(\\[[^]]+]\\([^)]*\\)\\)");
  private static final Pattern NAME = Pattern.compile("`([A-Z_]+\\*?)`");
  private static final Pattern ACTION_PARTS = Pattern.compile("\\||<br>");
  private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]*\\)");

  private RulePage() {}

  /**
   * Returns the explanation of a reason in lines, or null if there is no such reason.
   *
   * @param reason the id, in upper or lower case
   */
  static @Nullable List<String> of(String reason) throws IOException {
    List<String> page = explanation(reason);
    if (page == null) {
      return null;
    }
    List<String> text = new ArrayList<>(page);
    text.addAll(action(reason.toUpperCase(Locale.ROOT)));
    return text;
  }

  private static @Nullable List<String> explanation(String reason) throws IOException {
    List<String> lines = read(RULES);
    String anchor = "<a id=\"" + reason.toLowerCase(Locale.ROOT) + "\"></a>";
    String[] columns = {};
    String family = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(HEADING)) {
        family = plain(line.substring(HEADING.length()));
      }
      if (line.startsWith("| id |")) {
        columns = cells(line);
      }
      if (line.contains(anchor)) {
        return line.startsWith(ROW)
            ? row(reason.toUpperCase(Locale.ROOT), family, columns, cells(line))
            : item(lines, i);
      }
    }
    return null;
  }

  /** Returns what a reason suggests and what to do, or nothing if no page says that. */
  private static List<String> action(String reason) throws IOException {
    for (String page : ACTIONS) {
      boolean isTable = false;
      for (String line : read(page)) {
        isTable = line.startsWith("|") && (isTable || line.startsWith("| reason |"));
        if (!isTable) {
          continue;
        }
        String row = ASIDE.matcher(line.substring(ROW.length())).replaceAll("");
        String[] cells = ACTION_PARTS.split(row, -1);
        if (names(cells[0], reason)) {
          return List.of("suggests: " + plain(cells[1]), "what to do: " + plain(cells[2]));
        }
      }
    }
    return List.of();
  }

  private static boolean names(String cell, String reason) {
    return NAME.matcher(cell)
        .results()
        .map(name -> name.group(1))
        .anyMatch(
            name ->
                name.endsWith("*")
                    ? reason.startsWith(name.substring(0, name.length() - 1))
                    : reason.equals(name));
  }

  private static List<String> read(String resource) throws IOException {
    try (InputStream in = RulePage.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is missing from the jar");
      }
      return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList();
    }
  }

  private static String[] cells(String line) {
    String[] cells = line.substring(ROW.length()).split("\\|", -1);
    for (int i = 0; i < cells.length; i++) {
      cells[i] = plain(cells[i]);
    }
    return cells;
  }

  private static List<String> row(String reason, String family, String[] columns, String... cells) {
    List<String> text = new ArrayList<>();
    text.add(reason + ": " + cells[1]);
    text.add("family: " + family);
    for (int i = 2; i < Math.min(columns.length, cells.length); i++) {
      if (!columns[i].isEmpty() && !cells[i].isEmpty()) {
        text.add(columns[i] + ": " + cells[i]);
      }
    }
    return text;
  }

  private static List<String> item(List<String> lines, int from) {
    StringBuilder text = new StringBuilder(plain(lines.get(from).substring(ITEM.length())));
    for (int i = from + 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.startsWith("  ")) {
        break;
      }
      text.append(' ').append(plain(line));
    }
    return List.of(text.toString());
  }

  private static String plain(String markdown) {
    String text = ANCHOR.matcher(markdown).replaceAll("");
    text = SEE_PAGE.matcher(text).replaceAll("");
    return LINK.matcher(text).replaceAll("$1").replace("`", "").replace("**", "").trim();
  }
}
