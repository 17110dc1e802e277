// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.print.Style;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A drawing of a terminal as SVG, in the colors of the program, for light and dark pages. */
final class ScreenDrawing {
  private static final Pattern COLORED = Pattern.compile("\u001b\\[([0-9;]+)m(.*?)\u001b\\[0m");
  private static final Map<String, String> CLASSES =
      Map.of("1;31", "bad", "33", "odd", "32", "good", "1", "strong");
  private static final Pattern INDENTATION = Pattern.compile("^ +");
  private static final int LINE_PIXELS = 20;
  private static final int MARGIN_PIXELS = 16;
  private static final int WIDTH_PIXELS = 2 * MARGIN_PIXELS + 80 * 17 / 2;
  private static final String STYLE =
      """
      <style>
      text { font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; fill: #1f2328 }
      rect { fill: #f6f8fa }
      .bad { fill: #cf222e; font-weight: bold }
      .odd { fill: #9a6700 }
      .good { fill: #1a7f37 }
      .strong { font-weight: bold }
      @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 }
        rect { fill: #161b22 }
        .bad { fill: #ff7b72 }
        .odd { fill: #d29922 }
        .good { fill: #3fb950 }
      }
      </style>
      """;

  private ScreenDrawing() {}

  /** Draws the lines of a screen, which have the escape sequences of {@link Style}. */
  static String of(String title, List<String> lines) {
    int height = 2 * MARGIN_PIXELS + lines.size() * LINE_PIXELS;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\">\n"
            .formatted(WIDTH_PIXELS, height));
    svg.append("<title>").append(escape(title)).append("</title>\n").append(STYLE);
    svg.append("<rect width=\"100%\" height=\"100%\" rx=\"6\"/>\n");
    for (int i = 0; i < lines.size(); i++) {
      int y = MARGIN_PIXELS + i * LINE_PIXELS + LINE_PIXELS * 3 / 4;
      svg.append("<text x=\"%d\" y=\"%d\">".formatted(MARGIN_PIXELS, y));
      svg.append(colored(indented(lines.get(i)))).append("</text>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  /** Indents by fixed spaces. Renderers that ignore {@code white-space} drop ordinary ones. */
  private static String indented(String line) {
    return INDENTATION.matcher(line).replaceFirst(spaces -> "\u00a0".repeat(spaces.end()));
  }

  private static String colored(String line) {
    Matcher matcher = COLORED.matcher(escape(line));
    return matcher.replaceAll(
        part ->
            "<tspan class=\"%s\">%s</tspan>"
                .formatted(CLASSES.get(part.group(1)), Matcher.quoteReplacement(part.group(2))));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
