// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that print a text that ships with the program, and check nothing. */
final class PrintOptions {
  private static final String SCHEMA = "check.schema.json";

  @Option(
      names = "--json-schema",
      description = "Prints the JSON schema of the objects that --json prints, and checks nothing.")
  private boolean schema;

  @Option(
      names = "--completion",
      description =
          "Prints a script that completes options in bash and zsh, and checks nothing. Use it as "
              + "in: source <(./check --completion)")
  private boolean completion;

  @Option(
      names = "--man-page",
      description =
          "Prints the manual page in roff, and checks nothing. Read it as in: ./check --man-page | "
              + "man -l -")
  private boolean manPage;

  /** Prints what was asked for. Returns false if nothing was. */
  boolean print(CommandLine line) throws IOException {
    PrintWriter out = line.getOut();
    if (schema) {
      out.print(resource());
    } else if (completion) {
      out.print(AutoComplete.bash(line.getCommandName(), line));
    } else if (manPage) {
      new ManPage(line.getCommandSpec(), out).print();
    }
    return schema || completion || manPage;
  }

  private static String resource() throws IOException {
    try (InputStream in = PrintOptions.class.getResourceAsStream(SCHEMA)) {
      if (in == null) {
        throw new FileNotFoundException(SCHEMA + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
