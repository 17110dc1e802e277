// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Events of a web shop as JSON text: repeating field names, random ids and times, some free text.
 * The same seed gives the same events.
 */
final class JsonEvents {
  /** Values below this size carry fewer fields. */
  private static final int FULL_EVENT_BYTES = 640;

  private static final String[] TYPES = {"view", "search", "add_to_cart", "checkout", "login"};
  private static final String[] COUNTRIES = {"DE", "US", "IN", "BR", "JP", "NG", "FR"};
  private static final String[] STATUSES = {"200", "200", "200", "204", "304", "404", "500"};
  private static final String[] SYLLABLES = {
    "an", "bri", "du", "es", "fa", "go", "ka", "lor", "mon", "pi", "qua", "ri", "sel", "ten", "ver"
  };
  private static final int WORDS = 400;

  private final SplittableRandom random;
  private final String[] words = new String[WORDS];
  private final StringBuilder text = new StringBuilder();
  private long timeMs;

  JsonEvents(long seed, long firstTimeMs) {
    random = new SplittableRandom(seed);
    timeMs = firstTimeMs;
    for (int i = 0; i < WORDS; i++) {
      words[i] = newWord();
    }
  }

  private String newWord() {
    StringBuilder word = new StringBuilder();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      word.append(pick(SYLLABLES));
    }
    return word.toString();
  }

  /** Returns the next event, padded with free text to exactly so many bytes (at least 100). */
  byte[] next(int bytes) {
    timeMs += random.nextInt(3);
    text.setLength(0);
    text.append("{\"id\":\"").append(hex(8)).append("\",\"ts\":").append(timeMs);
    text.append(",\"type\":\"").append(pick(TYPES)).append('"');
    if (bytes >= FULL_EVENT_BYTES) {
      appendDetails();
    }
    text.append(",\"note\":\"");
    while (text.length() < bytes) {
      text.append(word()).append(' ');
    }
    text.setLength(bytes - 2);
    return text.append("\"}").toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the time of the event returned last, in milliseconds since the epoch. */
  long timeMs() {
    return timeMs;
  }

  private void appendDetails() {
    text.append(",\"user\":{\"id\":").append(random.nextInt(100_000_000, 1_000_000_000));
    text.append(",\"session\":\"").append(hex(16)).append("\",\"country\":\"");
    text.append(pick(COUNTRIES)).append("\",\"premium\":").append(random.nextBoolean());
    text.append("},\"status\":").append(pick(STATUSES));
    text.append(",\"url\":\"/").append(word()).append('/').append(word());
    text.append("\",\"referrer\":\"https://example.org/").append(word());
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

  private String hex(int digits) {
    String all = String.format("%016x", random.nextLong());
    return all.substring(all.length() - digits);
  }

  /** Few words are frequent and most are rare, as in any text. */
  private String word() {
    double u = random.nextDouble();
    return words[(int) (u * u * u * WORDS)];
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
