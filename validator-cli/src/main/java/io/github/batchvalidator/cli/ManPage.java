// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A writer of the manual page, in roff with the macros of {@code man(7)}. The generator of picocli
 * writes AsciiDoc, which needs Asciidoctor to become a page.
 */
final class ManPage {
  private static final Map<String, String> EXAMPLES =
      new TreeMap<>(
          Map.of(
              "check /var/lib/kafka/data/orders-0",
              "Checks the segments of a partition and the partition as a whole.",
              "check --list 00000000000000000000.log",
              "Lists the batches of a segment.",
              "check --json --observe /backup | jq 'select(.type == \"finding\")'",
              "Prints what level strict would reject.",
              "check compare /broker-1/orders-0 /broker-2/orders-0",
              "Compares two replicas of a partition.",
              "check repair --from a/orders-0 --from b/orders-0 --into new",
              "Builds a sound directory of a partition from two copies.",
              "check salvage --into /tmp/rescued /backup/orders-0",
              "Copies the sound batches of damaged segments to a new directory."));

  private final CommandSpec spec;
  private final PrintWriter out;

  ManPage(CommandSpec spec, PrintWriter out) {
    this.spec = spec;
    this.out = out;
  }

  /** Writes the page. */
  void print() {
    String name = spec.name();
    out.println(".\\\" Printed by check --man-page");
    out.println(".TH CHECK 1 \"\" \"Batch Validator\"");
    section("NAME");
    text(name + " - check Kafka log segments");
    section("SYNOPSIS");
    out.println(".B " + name);
    out.println("[\\fIOPTION\\fR]... \\fIPATH\\fR...");
    out.println(".PP");
    out.println(".B " + name);
    out.println("\\fICOMMAND\\fR [\\fIOPTION\\fR]... \\fIPATH\\fR...");
    section("DESCRIPTION");
    paragraphs(spec.usageMessage().description());
    section("ARGUMENTS");
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      out.println(".TP");
      out.println("\\fI" + escaped(parameter.paramLabel()) + "\\fR");
      text(description(parameter));
    }
    section("OPTIONS");
    spec.options().forEach(this::option);
    section("COMMANDS");
    text("Options and paths follow the command. A path with its name is written ./salvage.");
    spec.subcommands().values().forEach(command -> command(command.getCommandSpec()));
    section("EXIT STATUS");
    spec.usageMessage().exitCodeList().forEach(this::tagged);
    section("EXAMPLES");
    EXAMPLES.forEach(this::tagged);
  }

  private void section(String title) {
    out.println(".SH " + title);
  }

  private void command(CommandSpec command) {
    out.println(".SS " + command.name());
    text(String.join(" ", command.usageMessage().description()));
    command.options().stream().filter(option -> isMissing(option, spec)).forEach(this::option);
    String missing =
        spec.options().stream()
            .filter(option -> isMissing(option, command))
            .map(OptionSpec::longestName)
            .collect(Collectors.joining(", "));
    out.println(".PP");
    text("The other options are those above, except " + missing + ".");
  }

  private static boolean isMissing(OptionSpec option, CommandSpec command) {
    return command.findOption(option.longestName()) == null;
  }

  private void option(OptionSpec option) {
    StringBuilder names = new StringBuilder();
    for (String name : option.names()) {
      names.append(names.isEmpty() ? "" : ", ");
      names.append("\\fB").append(escaped(name)).append("\\fR");
    }
    if (option.arity().max() > 0) {
      names.append("=\\fI").append(escaped(option.paramLabel())).append("\\fR");
    }
    out.println(".TP");
    out.println(names);
    text(description(option));
  }

  private static String description(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  private void tagged(String tag, String text) {
    out.println(".TP");
    out.println("\\fB" + escaped(tag) + "\\fR");
    text(text);
  }

  private void paragraphs(String... paragraphs) {
    for (String paragraph : paragraphs) {
      out.println(".PP");
      text(paragraph);
    }
  }

  private void text(String text) {
    out.println(escaped(text));
  }

  /** Escapes what roff would not print as it is. */
  private static String escaped(String text) {
    String escaped = text.replace("\\", "\\e").replace("-", "\\-");
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }
}
