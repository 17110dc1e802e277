// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import io.github.batchvalidator.structure.fixture.check.ReadsCodecLibrary;
import io.github.batchvalidator.structure.fixture.rule.ReadsAnything;
import io.github.batchvalidator.structure.fixture.scan.ReadsKafka;
import io.github.batchvalidator.structure.fixture.scan.ReadsUpward;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Imports of the core go down only, and out of it only where they are meant to. */
class LayerTest {
  private static final String FIXTURE = LayerTest.class.getPackageName() + ".fixture";

  /** What each layer may read beside itself, as drawn in the architecture. */
  private static final Map<String, Set<String>> MAY_READ =
      Map.ofEntries(
          layer("", "inspect rebuild scan payload codec verdict fault format watch rule"),
          layer(
              "engine", "inspect rebuild check scan payload codec codec.kafka verdict format rule"),
          layer("inspect", "check scan fault payload codec verdict format rule"),
          layer("rebuild", "check scan fault payload codec codec.zstd verdict format rule"),
          layer("check", "scan codec verdict fault format rule"),
          layer("scan", "codec fault format rule"),
          layer("payload", "codec codec.gzip codec.lz4 codec.snappy codec.zstd verdict fault rule"),
          layer("codec.kafka", "codec codec.gzip codec.lz4 codec.snappy codec.zstd rule"),
          layer("codec.gzip", "codec codec.inflate rule"),
          layer("codec.inflate", ""),
          layer("codec.lz4", "codec rule"),
          layer("codec.snappy", "codec format rule"),
          layer("codec.zstd", "codec rule"),
          layer("codec", "fault format rule"),
          layer("verdict", "fault format rule"),
          layer("fault", "rule"),
          layer("format", "fault rule"),
          layer("watch", "rule"),
          layer("rule", ""));

  private static final List<String> FOREIGN = List.of("java.", "org.jspecify.annotations.");
  private static final Pattern CODEC_LAYERS = Pattern.compile("codec(\\.\\w+)?|rebuild");
  private static final List<String> CODEC_LIBRARIES =
      List.of("com.github.luben.zstd.", "net.jpountz.", "org.xerial.snappy.");

  /** The one class of the core that reads an optional module of the JDK. */
  private static final String FLIGHT_RECORDER_CLASS = ".watch.RefusedBatchEvent";

  @Test
  void importsGoDownOnly() {
    assertEquals(Set.of(), upward(Core.ROOT, Core.classes()));
  }

  @Test
  void onlyTheJdkAndInTwoPackagesTheCodecLibrariesAreUsed() {
    assertEquals(Set.of(), foreign(Core.ROOT, Core.classes()));
  }

  @Test
  void thePackagesAreThoseThatAreDrawn() {
    Set<String> layers = new TreeSet<>();
    Core.classes().forEach(found -> layers.add(Core.layer(Core.ROOT, found.getName())));
    assertEquals(new TreeSet<>(MAY_READ.keySet()), layers);
  }

  @Test
  void anImportThatGoesUpIsFound() {
    Set<String> found = upward(FIXTURE, fixtures());
    assertTrue(found.contains("scan.ReadsUpward -> check"), found::toString);
    assertTrue(found.contains("rule.ReadsAnything -> scan"), found::toString);
    assertEquals(2, found.size(), found::toString);
  }

  @Test
  void aForeignTypeIsFound() {
    Set<String> found = foreign(FIXTURE, fixtures());
    assertTrue(
        found.contains("scan.ReadsKafka -> org.apache.kafka.common.record.internal.RecordBatch"),
        found::toString);
    assertTrue(
        found.contains("check.ReadsCodecLibrary -> net.jpountz.lz4.LZ4SafeDecompressor"),
        found::toString);
  }

  private static JavaClasses fixtures() {
    return Core.imported(
        importer ->
            importer.importClasses(
                ReadsUpward.class, ReadsKafka.class, ReadsCodecLibrary.class, ReadsAnything.class));
  }

  private static Set<String> upward(String root, JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass from : classes) {
      String layer = Core.layer(root, from.getName());
      targets(from)
          .filter(target -> target.startsWith(root + "."))
          .map(target -> Core.layer(root, target))
          .filter(target -> !target.equals(layer) && !allowed(layer).contains(target))
          .forEach(target -> found.add(relative(root, from) + " -> " + target));
    }
    return found;
  }

  private static Set<String> foreign(String root, JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass from : classes) {
      boolean isRecorded = from.getName().equals(root + FLIGHT_RECORDER_CLASS);
      boolean isCodec = CODEC_LAYERS.matcher(Core.layer(root, from.getName())).matches();
      targets(from)
          .filter(target -> !target.startsWith(root + ".") && !startsWith(FOREIGN, target))
          .filter(target -> !isCodec || !startsWith(CODEC_LIBRARIES, target))
          .filter(target -> !isRecorded || !target.startsWith("jdk.jfr."))
          .forEach(target -> found.add(relative(root, from) + " -> " + target));
    }
    return found;
  }

  private static Map.Entry<String, Set<String>> layer(String name, String mayRead) {
    return Map.entry(name, Set.of(mayRead.split(" ")));
  }

  private static Set<String> allowed(String layer) {
    return MAY_READ.getOrDefault(layer, Set.of());
  }

  private static Stream<String> targets(JavaClass from) {
    return from.getDirectDependenciesFromSelf().stream()
        .map(Dependency::getTargetClass)
        .map(JavaClass::getBaseComponentType)
        .filter(target -> !target.isPrimitive())
        .map(JavaClass::getName);
  }

  private static boolean startsWith(List<String> prefixes, String name) {
    return prefixes.stream().anyMatch(name::startsWith);
  }

  private static String relative(String root, JavaClass found) {
    return Core.relative(root, found.getName());
  }
}
