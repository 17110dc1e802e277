// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of messages for the operator to the broker's log. Writes to standard error instead if
 * logging fails, because a message must not stop the broker.
 */
public class BrokerLog {
  /** Creates a writer. The logger is created with the first message. */
  public BrokerLog() {}

  /**
   * Logs that the agent is active.
   *
   * @param message the line
   */
  public void info(String message) {
    try {
      LazyLogger.LOG.info(message);
    } catch (RuntimeException | LinkageError e) {
      System.err.println(message);
    }
  }

  /**
   * Logs that the agent is inactive, and why.
   *
   * @param message the line
   */
  public void warn(String message) {
    try {
      LazyLogger.LOG.warn(message);
    } catch (RuntimeException | LinkageError e) {
      System.err.println(message);
    }
  }

  /**
   * A holder that creates the logger with the first message. An agent starts before the broker sets
   * up logging.
   */
  private static final class LazyLogger {
    static final Logger LOG = LoggerFactory.getLogger(OffLockAgent.class);
  }
}
