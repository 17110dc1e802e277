// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.spark.storage.Storage;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code ./audit} and its subcommands have in common. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = SparkCommand.Version.class,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n")
abstract class SparkCommand implements Callable<Integer> {
  static final int CLEAN = 0;
  static final int FAULTS = 1;
  static final int IO_ERROR = 3;

  /** Starts the commands of {@code ./check} in a report. */
  static final String CHECK_COMMAND = "./check";

  private static final String MASTER = "spark.master";
  private static final String ALL_CORES = "local[*]";
  private static final String LOOPBACK = "127.0.0.1";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Writes the rows of ./check --json to a new directory.")
  private @Nullable String output;

  final CommandLine line() {
    if (spec == null) {
      throw new IllegalStateException("not run by picocli");
    }
    return spec.commandLine();
  }

  final ParameterException usageError(String message) {
    return new ParameterException(line(), message);
  }

  /** Prints a line on stderr. */
  final void say(String text) {
    line().getErr().println(Messages.printable("audit: " + text));
  }

  /** Returns the directory for the rows, or null. */
  final @Nullable String output() {
    return output;
  }

  final void checkOutput(Storage storage) throws IOException {
    String target = output;
    if (target != null) {
      Path path = new Path(target);
      if (storage.of(path).exists(path)) {
        throw usageError("--output must be a directory that does not exist, not " + target);
      }
    }
  }

  /** Returns the exit code of a run that read something. */
  static int exitCode(long errors, long faults) {
    return errors > 0 ? IO_ERROR : faults > 0 ? FAULTS : CLEAN;
  }

  /** Returns the configuration of {@code spark-submit}, or that of an embedded Spark. */
  static SparkConf configuration() {
    SparkConf configuration = new SparkConf();
    configuration.setIfMissing("spark.app.name", "batch-validator-audit");
    // A cluster may prefer Kryo, which cannot write records of Java.
    configuration.set("spark.serializer", "org.apache.spark.serializer.JavaSerializer");
    configuration.setIfMissing(MASTER, ALL_CORES);
    if (isEmbedded(configuration.get(MASTER))) {
      configuration.setIfMissing("spark.ui.enabled", "false");
      configuration.setIfMissing("spark.driver.host", LOOPBACK);
      configuration.setIfMissing("spark.driver.bindAddress", LOOPBACK);
    }
    return configuration;
  }

  /** Returns true if all of Spark runs in this process. {@code local-cluster} starts others. */
  private static boolean isEmbedded(String master) {
    return master.equals("local") || master.startsWith("local[");
  }

  /** A provider of the version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = SparkCommand.class.getPackage().getImplementationVersion();
      return new String[] {"audit " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
