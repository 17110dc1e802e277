// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import io.github.batchvalidator.testing.Proxies;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;

/** A log that throws at each call. */
public final class FailingLog {
  private final List<String> called = new ArrayList<>();
  private final Logger logger;

  /** Creates a log that throws exceptions of a class. */
  public FailingLog(Class<? extends Throwable> kind) {
    logger =
        Proxies.of(
            Logger.class,
            (proxy, method, arguments) -> {
              called.add(method.getName());
              throw kind.getConstructor(String.class).newInstance("no space left");
            });
  }

  /** {@return the log} */
  public Logger logger() {
    return logger;
  }

  /** Returns the names of the methods that were called. */
  public List<String> called() {
    return called;
  }
}
