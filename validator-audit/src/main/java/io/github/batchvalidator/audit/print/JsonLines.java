// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.print;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** A writer of objects in JSON Lines format. */
final class JsonLines {
  private final PrintWriter out;
  private final JsonGenerator json;

  JsonLines(PrintWriter out) {
    this.out = out;
    try {
      json = new JsonFactory().createGenerator(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    json.setPrettyPrinter(new MinimalPrettyPrinter(""));
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    // File names may contain characters that reorder a line on a terminal.
    json.setHighestNonEscapedChar('~');
  }

  /** A writer of the members of an object. */
  interface Members {
    void write() throws IOException;
  }

  JsonGenerator json() {
    return json;
  }

  /** Writes one object as one line. The program checks for write errors at the end. */
  void line(String type, Members members) {
    try {
      json.writeStartObject();
      json.writeStringField("type", type);
      members.write();
      json.writeEndObject();
      json.flush();
      out.println();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void numberOrNull(String name, long value, boolean isNull) throws IOException {
    if (isNull) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  static double thousandths(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
