// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.Locale;

/** Pieces of markup that is well-formed XML too. Without named entities: XML knows five of them. */
final class Html {
  private Html() {}

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
