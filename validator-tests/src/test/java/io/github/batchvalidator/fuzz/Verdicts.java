// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.rule.Findings;
import io.github.batchvalidator.rule.Verdict;

/** All that a verdict tells, as numbers. */
public final class Verdicts {
  private Verdicts() {}

  /** Returns what the batch is like, and why it was refused. */
  static Trace trace(Verdict verdict) {
    Trace trace = new Trace();
    trace.add(verdict.accepted()).add(verdict.reason()).add(verdict.position());
    trace.add(verdict.firstOperand()).add(verdict.secondOperand());
    trace.add(verdict.plainPosition()).add(verdict.recordIndex()).add(verdict.batchBytes());
    trace.add(verdict.codec()).add(verdict.recordCount()).add(verdict.plainBytes());
    trace.add(verdict.declaredBytes()).add(verdict.magic()).add(verdict.needsRebuild());
    trace.add(verdict.control()).add(verdict.maxTimestamp()).add(verdict.timestampType());
    trace.add(verdict.decidedByRecords()).add(verdict.failureTotal());
    for (int i = 0; i < verdict.failureCount(); i++) {
      trace.add(verdict.failureReason(i)).add(verdict.failureIndex(i));
      trace.add(verdict.failurePlainPosition(i));
    }
    return trace;
  }

  /** Returns the same and the findings. */
  public static Trace traceWithFindings(Verdict verdict) {
    Trace trace = trace(verdict);
    Findings findings = verdict.findings();
    for (int i = 0; i < findings.count(); i++) {
      trace.add(findings.reason(i)).add(findings.total(i)).add(findings.position(i));
      trace.add(findings.plainPosition(i)).add(findings.recordIndex(i));
    }
    return trace;
  }
}
