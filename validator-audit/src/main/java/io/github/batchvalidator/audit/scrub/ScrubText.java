// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import static io.github.batchvalidator.audit.report.Messages.plural;

import io.github.batchvalidator.audit.print.Sizes;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.PartitionSummary;
import io.github.batchvalidator.audit.report.RunSummary;
import java.io.PrintWriter;
import java.util.Locale;

/** One line per fault and per pass on standard output, for a log that is searched line by line. */
public final class ScrubText implements ScrubOutput {
  private final PrintWriter out;
  private final PrintWriter err;

  public ScrubText(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public void fault(String file, Fault fault, ReadFrom from) {
    String offset = fault.offset() == Fault.UNKNOWN ? "" : ", offset " + fault.offset();
    line(
        (fault.finding() ? "FINDING " : "FAULT ")
            + fault.reason()
            + " "
            + file
            + " byte "
            + fault.position()
            + offset
            + ", read from "
            + from.text()
            + ": "
            + fault.message());
  }

  @Override
  public void error(String file, String message) {
    note(file + ": " + message);
  }

  @Override
  public void note(String text) {
    err.println(Messages.printable("check: " + text));
    err.flush();
  }

  @Override
  public void partition(PartitionSummary partition) {}

  @Override
  public void pass(RunSummary pass) {
    long faults = pass.tally().faults();
    String verdict =
        faults > 0 ? plural(faults, "fault") : pass.errors() > 0 ? "not complete" : "ok";
    line(
        String.format(
            Locale.ROOT,
            "pass ended: %s; %s, %s in %.0f s, %s",
            verdict,
            plural(pass.files(), "file"),
            Sizes.bytes(pass.fileBytes()),
            pass.seconds(),
            plural(pass.errors(), "error")));
  }

  private void line(String text) {
    out.println(Messages.printable(text));
    out.flush();
  }

  @Override
  public boolean isClosed() {
    return out.checkError();
  }
}
