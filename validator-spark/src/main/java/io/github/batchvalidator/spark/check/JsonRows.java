// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.check;

import io.github.batchvalidator.audit.print.JsonReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Iterator;

/** The lines of {@code ./check --json} for some rows. */
public final class JsonRows implements Iterator<String> {
  private final Iterator<Row> rows;
  private final StringWriter written = new StringWriter();
  private final JsonReport report = new JsonReport(new PrintWriter(written));

  public JsonRows(Iterator<Row> rows) {
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    return rows.hasNext();
  }

  @Override
  public String next() {
    rows.next().to(report);
    String line = written.toString().strip();
    written.getBuffer().setLength(0);
    return line;
  }
}
