// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import java.io.IOException;
import java.util.stream.Stream;

/** JMH's command line with {@link SideFigures} switched on. */
public final class Main {
  private Main() {}

  /**
   * Runs benchmarks.
   *
   * @param args as for JMH: {@code -h} lists them
   * @throws IOException if a file of results cannot be written
   */
  public static void main(String[] args) throws IOException {
    Stream<String> profiler = Stream.of("-prof", SideFigures.class.getName());
    org.openjdk.jmh.Main.main(Stream.concat(Stream.of(args), profiler).toArray(String[]::new));
  }
}
