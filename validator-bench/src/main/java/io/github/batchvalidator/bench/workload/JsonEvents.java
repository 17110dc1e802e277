// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Events of a web shop as JSON text: repeating field names, random ids and times, some free text.
 */
final class JsonEvents implements ValueSource {
  /** Values below this size carry fewer fields. */
  private static final int FULL_EVENT_BYTES = 640;

  private static final String[] TYPES = {"view", "search", "add_to_cart", "checkout", "login"};
  private static final String[] COUNTRIES = {"DE", "US", "IN", "BR", "JP", "NG", "FR"};
  private static final String[] STATUSES = {"200", "200", "200", "204", "304", "404", "500"};

  private final SplittableRandom random;
  private final Vocabulary vocabulary;
  private final StringBuilder text = new StringBuilder();

  JsonEvents(SplittableRandom random) {
    this.random = random;
    vocabulary = new Vocabulary(random);
  }

  /** Returns the next event, padded with free text. */
  @Override
  public byte[] next(int bytes, long timeMs) {
    text.setLength(0);
    text.append("{\"id\":\"").append(vocabulary.hex(8)).append("\",\"ts\":").append(timeMs);
    text.append(",\"type\":\"").append(vocabulary.pick(TYPES)).append('"');
    if (bytes >= FULL_EVENT_BYTES) {
      appendDetails();
    }
    text.append(",\"note\":\"");
    while (text.length() < bytes) {
      text.append(vocabulary.word()).append(' ');
    }
    text.setLength(bytes - 2);
    return text.append("\"}").toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void appendDetails() {
    text.append(",\"user\":{\"id\":").append(random.nextInt(100_000_000, 1_000_000_000));
    text.append(",\"session\":\"").append(vocabulary.hex(16)).append("\",\"country\":\"");
    text.append(vocabulary.pick(COUNTRIES)).append("\",\"premium\":").append(random.nextBoolean());
    text.append("},\"status\":").append(vocabulary.pick(STATUSES));
    text.append(",\"url\":\"/").append(vocabulary.word()).append('/').append(vocabulary.word());
    text.append("\",\"referrer\":\"https://example.org/").append(vocabulary.word());
    text.append("\",\"agent\":\"Mozilla/5.0 (X11; Linux x86_64; rv:").append(version());
    text.append(") Gecko/20100101 Firefox/").append(version());
    text.append("\",\"ip\":\"10.").append(random.nextInt(256)).append('.');
    text.append(random.nextInt(256)).append('.').append(random.nextInt(256));
    text.append("\",\"latency_us\":").append(random.nextInt(200_000)).append(",\"items\":[");
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      text.append("{\"sku\":\"SKU-").append(random.nextInt(100_000, 1_000_000));
      text.append("\",\"quantity\":").append(random.nextInt(1, 6)).append('}');
      text.append(i > 1 ? "," : "]");
    }
  }

  private String version() {
    return random.nextInt(100, 116) + ".0";
  }
}
