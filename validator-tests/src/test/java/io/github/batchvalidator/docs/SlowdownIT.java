// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The exit code 1 of {@code scripts/slowdown} means that a row became slower, and nothing else. */
class SlowdownIT extends ThrowawayRepository {
  @BeforeEach
  void checkOut() throws Exception {
    copy("scripts/common.sh", "scripts/slowdown");
    commit();
    replaceCommand("mvn", "");
    replaceCommand("java", "");
  }

  private int compare() throws Exception {
    return run("scripts/slowdown", "--turns", "1", "HEAD");
  }

  @Test
  void nothingIsSlower() throws Exception {
    assertEquals(0, compare(), this::output);
  }

  @Test
  void aRowIsSlower() throws Exception {
    replaceCommand("java", "case \"$*\" in *' compare '*) exit 1 ;; esac");
    assertEquals(1, compare(), this::output);
  }

  @Test
  void aBuildFails() throws Exception {
    replaceCommand("mvn", "exit 1");
    assertEquals(3, compare(), this::output);
  }

  @Test
  void aBenchmarkFails() throws Exception {
    replaceCommand("java", "exit 1");
    assertEquals(3, compare(), this::output);
  }
}
