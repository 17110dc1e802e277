// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The BOM names all modules that are published, and no others. */
class PublishedModulesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path BOM = ROOT.resolve("validator-bom/pom.xml");
  private static final Pattern PARENT = Pattern.compile("<parent>.*</parent>", Pattern.DOTALL);
  private static final Pattern MANAGED =
      Pattern.compile("<artifactId>([^<]*)</artifactId>\\s*<version>\\$\\{project.version}");
  private static final List<String> METADATA =
      List.of("url", "inceptionYear", "licenses", "developers", "scm");

  @Test
  void theBomIsComplete() throws IOException {
    Map<Path, String> poms = poms();
    List<Path> unpublished =
        poms.entrySet().stream()
            .filter(pom -> pom.getValue().contains("<publish.skip>true<"))
            .map(pom -> pom.getKey().getParent())
            .toList();
    TreeSet<String> published = new TreeSet<>();
    poms.forEach(
        (file, pom) -> {
          if (!pom.contains("<packaging>pom<")
              && unpublished.stream().noneMatch(file::startsWith)) {
            published.add(element(PARENT.matcher(pom).replaceFirst(""), "artifactId"));
          }
        });
    TreeSet<String> managed = new TreeSet<>();
    Matcher dependency = MANAGED.matcher(Files.readString(BOM));
    while (dependency.find()) {
      managed.add(dependency.group(1));
    }
    assertEquals(published, managed);
    assertTrue(published.contains("validator-core"));
    assertFalse(published.contains("validator-tests"));
  }

  @Test
  void theBomSaysOfItselfWhatTheParentSays() throws IOException {
    String bom = Files.readString(BOM);
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    assertFalse(bom.contains("<parent>"), "what a parent manages would be imported, too");
    assertEquals(element(parent, "version"), element(bom, "version"));
    for (String name : METADATA) {
      assertEquals(element(parent, name), element(bom, name), name);
    }
    for (String plugin :
        List.of("maven-install-plugin", "maven-deploy-plugin", "spotless-maven-plugin")) {
      String version = Pattern.quote(element(parent, plugin + ".version"));
      Pattern use = Pattern.compile(plugin + "</artifactId>\\s*<version>" + version + "<");
      assertTrue(use.matcher(bom).find(), plugin);
    }
  }

  /** docs/embedding.md says which packages hosts may rely on: those of these two modules. */
  @Test
  void theModulesForHostsAreComparedWithTheLastRelease() throws IOException {
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    assertTrue(parent.contains("<skip>${api.comparison.skip}</skip>"));
    for (String module : List.of("validator-core", "validator-policy")) {
      String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
      assertTrue(pom.contains("<artifactId>japicmp-maven-plugin<"), module);
    }
  }

  @Test
  void eachModuleHasANameAndADescription() throws IOException {
    poms()
        .forEach(
            (file, pom) -> {
              assertTrue(pom.contains("  <name>"), file::toString);
              assertTrue(pom.contains("  <description>"), file::toString);
            });
  }

  private static Map<Path, String> poms() throws IOException {
    Map<Path, String> poms = new TreeMap<>();
    try (Stream<Path> files = Files.find(ROOT, 3, (file, a) -> file.endsWith("pom.xml"))) {
      for (Path file : files.filter(each -> !each.startsWith(ROOT.resolve("scripts"))).toList()) {
        if (!ROOT.relativize(file).toString().contains("target")) {
          poms.put(file, Files.readString(file));
        }
      }
    }
    assertTrue(
        poms.size() > 15,
        () -> poms.keySet().stream().map(Path::toString).collect(Collectors.joining(" ")));
    return poms;
  }

  private static String element(String pom, String name) {
    Matcher element =
        Pattern.compile("<" + name + "(?: [^>]*)?>(.*?)</" + name + ">", Pattern.DOTALL)
            .matcher(pom);
    assertTrue(element.find(), name);
    return element.group(1);
  }
}
