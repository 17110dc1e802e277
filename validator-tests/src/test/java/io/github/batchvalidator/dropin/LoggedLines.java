// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.testing.Proxies;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** A log whose lines a test reads. */
public final class LoggedLines {
  private LoggedLines() {}

  /** Returns a log that adds each line to a list, with its level in front. */
  public static Logger into(List<String> lines) {
    return Proxies.of(
        Logger.class,
        (proxy, method, arguments) -> {
          Object[] values = Arrays.copyOfRange(arguments, 1, arguments.length);
          values = values[0] instanceof Object[] all ? all : values;
          String format = (String) arguments[0];
          String message = MessageFormatter.arrayFormat(format, values).getMessage();
          return lines.add(method.getName() + " " + message);
        });
  }
}
