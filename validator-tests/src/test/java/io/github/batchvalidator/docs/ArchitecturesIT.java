// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A run of {@code scripts/architectures} finishes what an earlier one left. */
class ArchitecturesIT extends ThrowawayRepository {
  /** Unpacks the emulator, and an absolute link. */
  private static final String UNPACK =
      """
      mkdir -p "$3/usr/bin"
      ln -sfn /etc/java "$3/usr/conf"
      cp "$(command -v java)" "$3/usr/bin/qemu-aarch64-static"
      """;

  @Test
  void aPackageThatWasNotUnpackedIsUnpackedByTheNextRun() throws Exception {
    copy("scripts/common.sh", "scripts/architectures");
    write("validator-tests/target/class-path", "a.jar");
    commit();
    replaceCommand("mvn", "");
    replaceCommand("java", "");
    replaceCommand("apt-get", "case \"$*\" in *' download '*) touch first.deb second.deb ;; esac");
    replaceCommand("dpkg-deb", UNPACK + "case $3 in */arm64) exit 1 ;; esac");
    assertEquals(1, architectures(), this::output);
    replaceCommand("dpkg-deb", UNPACK);
    assertEquals(0, architectures(), this::output);
    Path link = Files.readSymbolicLink(path("target/architectures/arm64/usr/conf"));
    assertTrue(link.endsWith("arm64/etc/java"), link::toString);

    replaceCommand("dpkg-deb", "exit 1");
    assertEquals(0, architectures(), this::output);
  }

  private int architectures() throws Exception {
    return run("scripts/architectures", "arm64");
  }
}
