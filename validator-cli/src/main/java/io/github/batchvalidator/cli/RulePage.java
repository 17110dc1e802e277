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
 * <p>A reason is a row of a table or an item of a list, and starts with an anchor.
 */
final class RulePage {
  private static final String RESOURCE = "/rules.md";
  private static final String ROW = "| ";
  private static final String ITEM = "- ";
  private static final Pattern ANCHOR = Pattern.compile("<a id=\"[a-z0-9_]+\"></a>");
  private static final Pattern SEE_PAGE = Pattern.compile(" ?\\(\\[[^]]+\\.md]\\([^)]*\\)\\)");
  private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\([^)]*\\)");

  private RulePage() {}

  /**
   * Returns the explanation of a reason in lines, or null if there is no such reason.
   *
   * @param reason the id, in upper or lower case
   */
  static @Nullable List<String> of(String reason) throws IOException {
    String id = reason.toLowerCase(Locale.ROOT);
    List<String> lines = read();
    String anchor = "<a id=\"" + id + "\"></a>";
    String[] columns = {};
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("| id |")) {
        columns = cells(line);
      }
      if (line.contains(anchor)) {
        return line.startsWith(ROW)
            ? row(reason.toUpperCase(Locale.ROOT), columns, cells(line))
            : item(lines, i);
      }
    }
    return null;
  }

  private static List<String> read() throws IOException {
    try (InputStream in = RulePage.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new FileNotFoundException("rules.md is missing from the jar");
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

  private static List<String> row(String reason, String[] columns, String... cells) {
    List<String> text = new ArrayList<>();
    text.add(reason + ": " + cells[1]);
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
