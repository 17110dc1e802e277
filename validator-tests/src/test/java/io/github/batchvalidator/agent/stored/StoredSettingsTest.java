// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.settings.Settings;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The agent's settings for stored batches. */
class StoredSettingsTest {
  @TempDir private Path directory;

  private final Properties system = new Properties();

  @Test
  void allPartsAreOffUnlessSet() {
    assertFalse(StoredSettings.read(system).isOn());
    system.setProperty("batchvalidator.stored.recovery", "off");
    assertFalse(StoredSettings.read(system).isOn());
  }

  @Test
  void recoveryIsSwitchedOn() {
    system.setProperty("batchvalidator.stored.recovery", " enforce ");
    assertTrue(StoredSettings.read(system).recovery());
  }

  @Test
  void aSystemPropertyOverridesTheFileOfTheDropIn() throws Exception {
    Path file = directory.resolve("settings");
    Files.writeString(
        file, "batchvalidator.level=strict\nbatchvalidator.stored.recovery=enforce\n");
    system.setProperty("batchvalidator.config", file.toString());
    assertTrue(StoredSettings.read(system).recovery());
    system.setProperty("batchvalidator.stored.recovery", "off");
    assertFalse(StoredSettings.read(system).recovery());
  }

  @Test
  void aFileMayStartWithAByteOrderMarkButMustBeUtf8() throws Exception {
    Path file = directory.resolve("settings");
    system.setProperty("batchvalidator.config", file.toString());
    String text = "\uFEFFbatchvalidator.stored.recovery=enforce\n";
    Files.writeString(file, text);
    assertTrue(StoredSettings.read(system).recovery());
    for (Charset other : List.of(StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE)) {
      Files.writeString(file, text, other);
      assertThrows(IllegalArgumentException.class, () -> StoredSettings.read(system));
    }
    Files.delete(file);
    Files.createDirectory(file);
    assertThrows(IllegalArgumentException.class, () -> StoredSettings.read(system));
  }

  @Test
  void compactionIsGuardedAsSet() {
    assertEquals(StoredSettings.Mode.OFF, StoredSettings.read(system).compaction());
    system.setProperty("batchvalidator.stored.compaction", "observe");
    assertEquals(StoredSettings.Mode.OBSERVE, StoredSettings.read(system).compaction());
    assertEquals(EnumSet.of(Part.COMPACTION), StoredSettings.read(system).parts());
    assertTrue(StoredSettings.read(system).isOn());
  }

  @Test
  void cutsAreKeptAsSet() {
    assertEquals(StoredSettings.Mode.OFF, StoredSettings.read(system).keep());
    system.setProperty("batchvalidator.stored.keep", "observe");
    StoredSettings observing = StoredSettings.read(system);
    assertEquals(StoredSettings.Mode.OBSERVE, observing.keep());
    assertEquals(EnumSet.of(Part.KEEP), observing.parts());
    assertEquals(10L << 30, observing.keepQuota());
    assertNull(observing.keepDirectory());
    system.setProperty("batchvalidator.stored.keep", "enforce");
    system.setProperty("batchvalidator.stored.keep.quota", "5");
    system.setProperty("batchvalidator.stored.keep.directory", directory.toString());
    StoredSettings enforcing = StoredSettings.read(system);
    assertEquals(StoredSettings.Mode.ENFORCE, enforcing.keep());
    assertEquals(5, enforcing.keepQuota());
    assertEquals(directory, enforcing.keepDirectory());
  }

  @ParameterizedTest
  @CsvSource({"keep, on", "keep.quota, -1", "keep.quota, 1G", "keep.directory, kept"})
  void aWrongValueOfAKeptCutIsAMistake(String name, String value) {
    system.setProperty("batchvalidator.stored." + name, value);
    assertTrue(mistake().contains(name + " is " + value + ", legal is "), mistake());
  }

  @Test
  void mistakesNameWhatIsLegal() {
    system.setProperty("batchvalidator.stored.recovery", "true");
    assertEquals("batchvalidator.stored.recovery is true, legal is off or enforce", mistake());
    system.remove("batchvalidator.stored.recovery");
    system.setProperty("batchvalidator.stored.recover", "enforce");
    assertTrue(mistake().startsWith("unknown setting batchvalidator.stored.recover; "), mistake());
    system.remove("batchvalidator.stored.recover");
    system.setProperty("batchvalidator.config", directory.resolve("none").toString());
    assertTrue(mistake().contains("cannot read"), mistake());
  }

  private String mistake() {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> StoredSettings.read(system))
            .getMessage());
  }

  @Test
  void theDropInLeavesThemToTheAgent() {
    assertEquals(StoredSettings.PREFIX, Settings.OF_AGENT);
    system.setProperty("batchvalidator.stored.of.another.version", "x");
    assertEquals(Settings.read(new Properties()), Settings.read(system));
  }
}
