// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.specification;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files of a policy, which are replaced while a broker runs. */
final class PolicyFolder {
  private final Path file;
  private final Path ids;

  PolicyFolder(Path directory) {
    file = directory.resolve("policy.properties");
    ids = directory.resolve("ids.txt");
  }

  Path file() {
    return file;
  }

  void write(PolicyDraw.Drawn policy) {
    write(ids, policy.ids());
    write(file, policy.text());
  }

  private static void write(Path path, String text) {
    try {
      Files.writeString(path, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Brings a policy into use: at the start of the broker, or by changes that its watch notices. */
  void bring(PolicyDraw.Drawn policy, DropInSide side, Choices choices) {
    switch (choices.below(5)) {
      case 1 -> {
        write(PolicyDraw.draw(choices, policy.brokerWide()));
        require(side.restart(policy.brokerWide()), true);
        write(policy);
        require(side.poll(), true);
      }
      case 2 -> {
        write(ids, PolicyDraw.ids(choices));
        require(side.restart(policy.brokerWide()), true);
        write(ids, policy.ids());
        require(side.poll(), true);
      }
      case 3 -> {
        require(side.restart(policy.brokerWide()), true);
        spoil(policy, choices);
        require(side.poll(), false);
      }
      default -> require(side.restart(policy.brokerWide()), true);
    }
  }

  /** "An invalid file changes nothing: the rules that were read before stay in use." */
  private void spoil(PolicyDraw.Drawn policy, Choices choices) {
    if (choices.oneIn(2) && policy.text().contains("file:ids.txt")) {
      write(ids, choices.of("", "# none\n", policy.ids() + "\nx"));
    } else {
      write(
          file,
          choices.of("", "# none\n", "default.codecs=zip\n", policy.text() + "topics.s1.match=\n"));
    }
  }

  private static void require(String error, boolean isValid) {
    if (error.isEmpty() != isValid) {
      throw new IllegalStateException("the file is " + (isValid ? "valid: " + error : "invalid"));
    }
  }
}
