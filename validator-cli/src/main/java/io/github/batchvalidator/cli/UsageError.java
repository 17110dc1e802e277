// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.scrub.ByteRate;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The messages for wrong options. They name the option and its legal values. */
public final class UsageError {
  /** The values of the options that are the same for all runs. The limits come from the library. */
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("--threads", "a whole number from 1 to " + ThreadOption.MAX_THREADS),
          Map.entry("--level", "kafka or strict"),
          Map.entry("--limits", Limits.PRESET_NAMES),
          Map.entry("--policy", "a policy file"),
          Map.entry("--into", "a directory that contains no input"),
          Map.entry("--from", "the directory of a copy"),
          Map.entry("--prefer", "one of the copies"),
          Map.entry("--tiered", "a directory of a tiered storage"),
          Map.entry("--key", "a file with a private RSA key in PEM form (PKCS #8)"),
          Map.entry("--rate", ByteRate.LEGAL_TEXTS),
          Map.entry("--range", "a whole number of at least " + DigestCommand.MIN_RANGE),
          Map.entry("--offsets", "two offsets, for example 16384-32767"),
          Map.entry("--state", "a file in a directory that exists"),
          Map.entry("--metrics-file", "a file in a directory that exists"),
          Map.entry("--explain", "a reason such as BATCH_CRC_MISMATCH, or a topic with --policy"));

  private static final String LIMIT = "--limit-";

  private UsageError() {}

  /** Returns the legal values of an option, for a sentence such as "--threads must be ...". */
  public static String legalValues(String option) {
    String known = VALUES.get(option);
    if (known != null) {
      return known;
    }
    if (option.startsWith(LIMIT)) {
      String name = option.substring(LIMIT.length()).replace('-', '_').toUpperCase(Locale.ROOT);
      return Limit.valueOf(name).legalValues();
    }
    return "a value";
  }

  /** Returns the message for a value that is not legal. */
  public static String illegal(String option, String value) {
    return option + " must be " + legalValues(option) + ", not " + value;
  }

  /** Returns the message for what picocli or the command refused. */
  public static String of(ParameterException why) {
    if (why instanceof UnmatchedArgumentException unmatched) {
      return of(unmatched);
    }
    ArgSpec argument = why.getArgSpec();
    if (why instanceof MissingParameterException missing && !missing.getMissing().isEmpty()) {
      argument = missing.getMissing().get(0);
    }
    if (why instanceof OverwrittenOptionException twice) {
      argument = twice.getOverwritten();
    }
    String name = name(argument);
    if (name == null) {
      return String.valueOf(why.getMessage());
    }
    if (why instanceof MissingParameterException) {
      return name + " needs a value: " + legalValues(name);
    }
    if (why instanceof OverwrittenOptionException) {
      return name + " is given more than once";
    }
    if (argument != null && argument.arity().max() == 0) {
      return name + " takes no value";
    }
    return illegal(name, String.valueOf(why.getValue()));
  }

  private static String of(UnmatchedArgumentException why) {
    List<String> unmatched = why.getUnmatched();
    String option = unmatched.isEmpty() ? "" : unmatched.get(0);
    int end = option.indexOf('=');
    String name = end < 0 ? option : option.substring(0, end);
    List<String> alike = why.getSuggestions();
    return "there is no option "
        + name
        + (alike.isEmpty() ? "" : "; did you mean " + String.join(" or ", alike) + "?");
  }

  /** Returns the longest name of an option, or null for a parameter. */
  private static @Nullable String name(@Nullable ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : null;
  }
}
