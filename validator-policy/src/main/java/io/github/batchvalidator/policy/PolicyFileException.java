// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if a policy file cannot be read or is invalid. The file is refused as a whole. */
public final class PolicyFileException extends Exception {
  private static final long serialVersionUID = 1;

  /** All mistakes in the order of the file. */
  @SuppressWarnings("serial") // an immutable list of records
  private final List<PolicyProblem> problems;

  private final transient List<FileStamp> stamps;

  PolicyFileException(List<PolicyProblem> problems, List<FileStamp> stamps) {
    super(problems.stream().map(PolicyProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
    this.stamps = List.copyOf(stamps);
  }

  /** {@return all mistakes in the order of the file, at least one} */
  public List<PolicyProblem> problems() {
    return problems;
  }

  /**
   * {@return true if the policy file, or a file of schema ids that it names, no longer has the
   * content that was refused} Reads the files.
   */
  public boolean hasFileChanged() {
    return stamps.stream().anyMatch(FileStamp::hasChanged);
  }
}
