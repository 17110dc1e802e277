// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.workload;

import java.util.SplittableRandom;

/** Words, ids and choices that texts are made of. */
final class Vocabulary {
  private static final String[] SYLLABLES = {
    "an", "bri", "du", "es", "fa", "go", "ka", "lor", "mon", "pi", "qua", "ri", "sel", "ten", "ver"
  };
  private static final int WORDS = 400;

  private final SplittableRandom random;
  private final String[] words = new String[WORDS];

  Vocabulary(SplittableRandom random) {
    this.random = random;
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

  /** Few words are frequent and most are rare, as in any text. */
  String word() {
    double u = random.nextDouble();
    return words[(int) (u * u * u * WORDS)];
  }

  String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  String hex(int digits) {
    String all = String.format("%016x", random.nextLong());
    return all.substring(all.length() - digits);
  }
}
