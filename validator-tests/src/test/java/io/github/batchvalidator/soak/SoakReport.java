// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.soak;

import java.util.List;

/** A soak as Markdown. */
final class SoakReport {
  private static final int MOST_ROWS = 60;

  private final String command;
  private final List<SoakSample> samples;
  private final SoakCounts counts;

  SoakReport(String command, List<SoakSample> samples, SoakCounts counts) {
    this.command = command;
    this.samples = samples;
    this.counts = counts;
  }

  String toText() {
    StringBuilder text = new StringBuilder("# Soak\n\n");
    text.append(command)
        .append(
            "; JDK %s, %s, %d processors.\n\n"
                .formatted(
                    Runtime.version(),
                    System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                    Runtime.getRuntime().availableProcessors()));
    text.append(
        "Growth is the median slope between any two samples of the second half, times its"
            + " length.\n\n");
    addGrowth(text);
    text.append('\n').append(counts.toText()).append('\n');
    addSamples(text);
    return text.toString();
  }

  private void addGrowth(StringBuilder text) {
    if (samples.size() < Flatness.FEWEST_SAMPLES) {
      text.append("The run ended with too few samples for that.\n");
      return;
    }
    text.append("| | first | last | growth | may grow | |\n|---|--:|--:|--:|--:|---|\n");
    for (Flatness kind : Flatness.values()) {
      text.append(
          "| %s | %,d | %,d | %,d | %,d | %s |\n"
              .formatted(
                  kind.title(),
                  kind.of(samples.get(0)),
                  kind.of(samples.get(samples.size() - 1)),
                  kind.growth(samples),
                  kind.mostGrowth(),
                  kind.isFlat(samples) ? "flat" : "**grows**"));
    }
  }

  private void addSamples(StringBuilder text) {
    text.append("| seconds | calls |");
    for (Flatness kind : Flatness.values()) {
      text.append(' ').append(kind.title()).append(" |");
    }
    text.append("\n|--:|--:|").append("--:|".repeat(Flatness.values().length)).append('\n');
    int step = Math.max(1, samples.size() / MOST_ROWS);
    for (int i = 0; i < samples.size(); i += step) {
      SoakSample sample = samples.get(i);
      text.append("| %,d | %,d |".formatted(sample.seconds(), sample.calls()));
      for (Flatness kind : Flatness.values()) {
        text.append(" %,d |".formatted(kind.of(sample)));
      }
      text.append('\n');
    }
  }
}
