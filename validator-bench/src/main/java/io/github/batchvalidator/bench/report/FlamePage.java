// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.report;

import java.io.IOException;
import java.util.function.Predicate;

/**
 * Flame graphs one below the other, as a page that needs no network, script or font. Well-formed
 * XML.
 */
public final class FlamePage {
  private final String title;
  private final Predicate<String> entry;
  private final StringBuilder panels = new StringBuilder();

  /**
   * Creates a page without graphs.
   *
   * @param title of the page
   * @param entry tells by the name of a frame whether it stands out, with all below
   */
  public FlamePage(String title, Predicate<String> entry) {
    this.title = title;
    this.entry = entry;
  }

  /**
   * Adds a graph.
   *
   * @param name whose it is and of what
   * @param profile what it shows
   */
  public void add(String name, StackTree profile) {
    String caption = Html.format("%s: %.1f %%", name, 100 * profile.share(entry));
    panels.append(new FlamePanel(profile, entry).html(caption));
  }

  /**
   * Returns the page.
   *
   * @throws IOException if the style sheet cannot be read
   */
  public String html() throws IOException {
    return Html.page(
        title,
        """
        <p>Callers above what they call; a frame is as wide as what was seen in it and below, and tells its name when it is pointed at. Frames
        below 0.3 % are left out. The validator and all that it calls stands out; behind each name is its share.</p>
        """
            + panels);
  }
}
