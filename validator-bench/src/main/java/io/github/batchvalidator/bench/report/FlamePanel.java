// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.util.function.Predicate;

/**
 * A flame graph that hangs from its root: each frame as wide as what was seen in it and below. What
 * is too narrow to be seen is left out. Some frames, and all below, stand out.
 */
final class FlamePanel {
  private static final int WIDTH = 1000;
  private static final int ROW_HEIGHT = 16;
  private static final double LEAST_WIDTH = 3;
  private static final double LETTER_WIDTH = 6;
  private static final int LEAST_LETTERS = 4;

  private final StackTree root;
  private final Predicate<String> entry;
  private final StringBuilder frames = new StringBuilder();
  private int rows;

  /**
   * Takes a profile.
   *
   * @param root all of it
   * @param entry tells by the name of a frame whether it stands out
   */
  FlamePanel(StackTree root, Predicate<String> entry) {
    this.root = root;
    this.entry = entry;
    draw(root, 0, 0, false);
  }

  private void draw(StackTree tree, double x, int row, boolean isBelowEntry) {
    double width = (double) WIDTH * tree.weight() / root.weight();
    if (width < LEAST_WIDTH) {
      return;
    }
    rows = Math.max(rows, row + 1);
    boolean standsOut = isBelowEntry || entry.test(tree.frame());
    frames.append(frame(tree, x, row, width, standsOut));
    double next = x;
    for (StackTree callee : tree.callees()) {
      draw(callee, next, row + 1, standsOut);
      next += (double) WIDTH * callee.weight() / root.weight();
    }
  }

  private String frame(StackTree tree, double x, int row, double width, boolean standsOut) {
    String box =
        Html.format(
            "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>%s, %.1f %%</title></rect>%n",
            standsOut ? "ours" : "frame",
            x,
            row * ROW_HEIGHT,
            width - 0.5,
            ROW_HEIGHT - 1,
            Html.plain(tree.frame()),
            100.0 * tree.weight() / root.weight());
    int letters = (int) (width / LETTER_WIDTH) - 1;
    if (letters < LEAST_LETTERS) {
      return box;
    }
    String name = shortName(tree.frame());
    return box
        + Html.format(
            "<text x=\"%.1f\" y=\"%d\">%s</text>%n",
            x + 3,
            row * ROW_HEIGHT + ROW_HEIGHT - 4,
            Html.plain(name.length() <= letters ? name : name.substring(0, letters)));
  }

  /** Returns class and method, without the package. */
  private static String shortName(String frame) {
    int method = frame.lastIndexOf('.');
    int type = method < 0 ? -1 : frame.lastIndexOf('.', method - 1);
    return frame.substring(type + 1);
  }

  /** Returns a figure with its caption. */
  String html(String caption) {
    return Html.format(
        "<figure class=\"flame\">%s<div class=\"wide\"><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n%s</svg></div></figure>%n",
        Html.caption(caption), WIDTH, rows * ROW_HEIGHT, Html.plain(caption), frames);
  }
}
