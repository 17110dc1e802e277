// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SplittableRandom;

/** Lines of a service's log, as many as fit into a value; the last one is cut. */
final class LogLines implements ValueSource {
  private static final String[] LEVELS = {"INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"};
  private static final String[] LOGGERS = {
    "c.e.shop.cart.CartService",
    "c.e.shop.search.QueryPlanner",
    "c.e.shop.pay.GatewayClient",
    "c.e.shop.http.AccessLog",
    "o.e.pool.ConnectionPool"
  };
  private static final String[] METHODS = {"GET", "GET", "GET", "POST", "PUT"};

  private final SplittableRandom random;
  private final Vocabulary vocabulary;
  private final StringBuilder text = new StringBuilder();

  LogLines(SplittableRandom random) {
    this.random = random;
    vocabulary = new Vocabulary(random);
  }

  @Override
  public byte[] next(int bytes, long timeMs) {
    text.setLength(0);
    while (text.length() < bytes) {
      appendLine(timeMs);
    }
    text.setLength(bytes);
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void appendLine(long timeMs) {
    text.append(Instant.ofEpochMilli(timeMs)).append(" [worker-").append(random.nextInt(16));
    text.append("] ").append(vocabulary.pick(LEVELS)).append(' ').append(vocabulary.pick(LOGGERS));
    text.append(" - request=").append(vocabulary.hex(12)).append(' ');
    text.append(vocabulary.pick(METHODS)).append(" /").append(vocabulary.word());
    text.append('/').append(random.nextInt(100_000)).append(" took ");
    text.append(random.nextInt(5_000)).append(" us:");
    for (int i = random.nextInt(2, 9); i > 0; i--) {
      text.append(' ').append(vocabulary.word());
    }
    text.append('\n');
  }
}
