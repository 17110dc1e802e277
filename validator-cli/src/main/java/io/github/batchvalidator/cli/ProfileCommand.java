// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.profile.RecordProfiler;
import io.github.batchvalidator.policy.PolicyFileException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;

/** The {@code check profile} command. */
@Command(
    name = "profile",
    description =
        "Checks segments, and prints what the records of each topic look like: codecs, first bytes,"
            + " schema ids, headers, sizes and timestamps, values that only one batch has, and a"
            + " section for a policy file.")
final class ProfileCommand extends FileCommand {
  ProfileCommand(BooleanSupplier isReadByProgram) {
    super(isReadByProgram);
  }

  @Override
  int run() throws InterruptedException, PolicyFileException {
    if (hasNoPath()) {
      throw usageError("name what to profile");
    }
    try (RecordProfiler profiler = new RecordProfiler()) {
      return new Session(this).profiled(profiler).run();
    }
  }
}
