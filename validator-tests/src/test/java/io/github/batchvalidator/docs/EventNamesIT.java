// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.batchvalidator.agent.OffLockAgent;
import io.github.batchvalidator.testing.DocumentTable;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;

/**
 * The events of the packaged jars have the names of the page. A jar moves packages, and takes the
 * name of an event for that of a class unless the POM leaves it out.
 */
class EventNamesIT {
  @Test
  void eventsOfStoredBatchesAreOnThePage() throws Exception {
    URL agent = OffLockAgent.class.getProtectionDomain().getCodeSource().getLocation();
    URL tiered = Path.of("..", "validator-tiered", "target", "tiered.jar").toUri().toURL();
    Set<String> names = new TreeSet<>();
    for (JavaClass each : new ClassFileImporter().importUrls(List.of(agent, tiered))) {
      boolean isCopy = each.getName().contains(".shaded."); // of the core, which writes no event
      if (!isCopy && each.isAnnotatedWith(Name.class)) {
        names.add(each.getAnnotationOfType(Name.class).value());
      }
    }
    List<String> rows = DocumentTable.firstColumn("metrics.md", "### Events of stored batches");
    assertEquals(new TreeSet<>(rows), names);
  }
}
