// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real key signs a release only if the commit is that release. */
class ReleaseBuildIT extends ThrowawayRepository {
  private static final String BUILD = "scripts/release/build";
  private static final String BUILT = "Maven was called";

  @BeforeEach
  void checkOutARelease() throws Exception {
    copy("scripts/common.sh", BUILD);
    writeScript("scripts/release/check-figures", "");
    writeScript("scripts/release/set-version", "");
    writeVersion("1.2.3");
    commit();
    replaceCommand("mvn", "echo " + BUILT + "; exit 1");
    replaceCommand("gpg", "");
    replaceCommand("gpgconf", "");
  }

  private void writeVersion(String version) throws Exception {
    write("pom.xml", "<project>\n  <version>" + version + "</version>\n</project>\n");
  }

  private void assertRefused(String mistake) {
    assertTrue(output().contains(mistake), this::output);
    assertFalse(output().contains(BUILT), this::output);
  }

  @Test
  void theReleaseThatIsCheckedOutIsBuilt() throws Exception {
    assertEquals(1, run(BUILD, "--key", "K"));
    assertTrue(output().contains(BUILT), this::output);
  }

  @Test
  void aVersionThatIsNotThatOfTheCommitIsRefused() throws Exception {
    assertEquals(2, run(BUILD, "--version", "1.2.4", "--key", "K"));
    assertRefused("--key needs the version of the commit, 1.2.3, not 1.2.4");
  }

  @Test
  void aVersionThatIsNotCommittedIsRefused() throws Exception {
    writeVersion("1.2.4");
    assertEquals(2, run(BUILD, "--key", "K"));
    assertRefused("--key needs a clean working tree");
  }

  @Test
  void aRehearsalIsBuiltFromAnyTree() throws Exception {
    writeVersion("1.2.4");
    assertEquals(1, run(BUILD, "--version", "1.2.5"));
    assertTrue(output().contains(BUILT), this::output);
  }
}
