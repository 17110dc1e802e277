// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator in the broker's log, and where there is none that works, on standard error: a
 * sentence must not end the broker.
 */
class BrokerLog {
  /** Says that the agent is at work. */
  void info(String sentence) {
    try {
      Lazily.LOG.info(sentence);
    } catch (RuntimeException | LinkageError e) {
      System.err.println(sentence);
    }
  }

  /** Says that it is not. */
  void warn(String sentence) {
    try {
      Lazily.LOG.warn(sentence);
    } catch (RuntimeException | LinkageError e) {
      System.err.println(sentence);
    }
  }

  /** An agent starts before the broker sets up its logging: asked for when there is a sentence. */
  private static final class Lazily {
    static final Logger LOG = LoggerFactory.getLogger(OffLockAgent.class);
  }
}
