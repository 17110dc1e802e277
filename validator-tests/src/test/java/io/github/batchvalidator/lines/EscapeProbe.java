// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Gives the appends of a file, one per line, to our validator of a Kafka line and says what left it
 * that is no exception of Kafka's own. Runs in a JVM with little heap and stack.
 */
final class EscapeProbe {
  private EscapeProbe() {}

  /**
   * Prints one line per escape, then how many appends were answered.
   *
   * @param args name of the line, path of the file
   */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    long asked = 0;
    try (LineSide ours = new LineSide(KafkaLine.valueOf(args[0]), true);
        BufferedReader lines = Files.newBufferedReader(Path.of(args[1]))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Answer answer = ours.ask(Append.parse(line));
        if (answer.crashed()) {
          System.out.println("ESCAPED " + answer + " of " + shortened(line));
        }
        asked++;
      }
    }
    System.out.println("ANSWERED " + asked);
  }

  private static String shortened(String line) {
    return line.substring(0, Math.min(line.length(), 4000));
  }
}
