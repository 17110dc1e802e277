// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;

/** Pieces of markup that is well-formed XML too. Without named entities: XML knows five of them. */
final class Html {
  private static final String STYLE = "report.css";

  private Html() {}

  /**
   * Returns a page that needs nothing from outside.
   *
   * @param title its heading, too
   * @param body what stands below the heading
   * @throws IOException if the style sheet cannot be read
   */
  static String page(String title, String body) throws IOException {
    return """
        <!DOCTYPE html>
        <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>%1$s</title>
        <style>
        %2$s</style>
        </head>
        <body>
        <h1>%1$s</h1>
        %3$s</body>
        </html>
        """
        .formatted(plain(title), style(), body);
  }

  private static String style() throws IOException {
    try (InputStream css = Html.class.getResourceAsStream(STYLE)) {
      return new String(Objects.requireNonNull(css).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns text as it stands in markup; what lies between backticks becomes code. */
  static String text(String plain) {
    String escaped =
        plain
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;");
    return escaped.replaceAll("`([^`]*)`", "<code>$1</code>");
  }

  /** Returns text without the marks of code, for SVG. */
  static String plain(String text) {
    return text(text.replace("`", ""));
  }

  /** Returns a table that scrolls sideways where it does not fit. */
  static String table(Table table) {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table>\n");
    if (table.head().stream().anyMatch(title -> !title.isEmpty())) {
      html.append("<thead><tr>");
      table.head().forEach(title -> html.append("<th>").append(text(title)).append("</th>"));
      html.append("</tr></thead>\n");
    }
    html.append("<tbody>\n");
    for (var row : table.rows()) {
      html.append("<tr>");
      row.forEach(cell -> html.append("<td>").append(text(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  /** Returns the caption of a figure, if it has one. */
  static String caption(String text) {
    return text.isEmpty() ? "" : "<figcaption>" + text(text) + "</figcaption>\n";
  }

  /** Returns what a reader opens if it is of interest. */
  static String folded(String title, String content) {
    return "<details><summary>" + text(title) + "</summary>\n" + content + "</details>\n";
  }

  /** Formats markup with points in numbers, whatever the locale. */
  static String format(String markup, Object... values) {
    return String.format(Locale.ROOT, markup, values);
  }
}
