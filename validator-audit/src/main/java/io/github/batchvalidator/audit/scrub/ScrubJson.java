// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.print.JsonReport;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RunSummary;
import java.io.PrintWriter;

/** The objects of {@code ./check --json}: what is found, partitions, and a summary per pass. */
public final class ScrubJson implements ScrubOutput {
  private final PrintWriter out;
  private final PrintWriter err;
  private final JsonReport json;

  /**
   * Creates an output.
   *
   * @param out receives the objects
   * @param err receives errors and notes for people
   */
  public ScrubJson(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
    json = new JsonReport(out);
  }

  @Override
  public void fault(String file, Fault fault, ReadFrom from) {
    json.fault(file, fault, from.text());
    out.flush();
  }

  @Override
  public void error(String file, String message) {
    json.error(file, message);
    out.flush();
    note(file + ": " + message);
  }

  @Override
  public void note(String text) {
    err.println(Messages.printable("check: " + text));
    err.flush();
  }

  @Override
  public void partition(PartitionSummary partition) {
    json.partition(partition);
    out.flush();
  }

  @Override
  public void pass(RunSummary pass) {
    json.summary(pass);
  }

  @Override
  public boolean isClosed() {
    return out.checkError();
  }
}
