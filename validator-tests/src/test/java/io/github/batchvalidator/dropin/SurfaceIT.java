// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every public member of the class that a jar shadows is there, and no other. */
class SurfaceIT {
  private static final String SHADOWED = "org.apache.kafka.storage.internals.log.LogValidator";

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void hasTheMembersOfTheClassItShadows(String version) throws Exception {
    try (URLClassLoader stock = Lines.stock(version);
        URLClassLoader ours = Lines.withDropIn(Lines.lineOf(version), version)) {
      SortedSet<String> expected = surface(stock);
      assertTrue(expected.size() > 15, "what was compared: " + expected);
      SortedSet<String> missing = new TreeSet<>();
      expected.forEach(member -> missing.add(withStartCheck(member)));
      missing.removeAll(surface(ours));
      assertEquals(new TreeSet<>(), missing);
    }
  }

  /**
   * 4.2.2 has a constructor that 4.2.0 has not; the one jar has what either has. That of 4.3 has it
   * too, for the versions behind 4.3.1.
   */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void itHasNoMembersThatNoVersionHas(String version) throws Exception {
    String line = Lines.lineOf(version);
    SortedSet<String> known = new TreeSet<>();
    for (String other : Lines.versions()) {
      if (Lines.lineOf(other).equals(line)) {
        try (URLClassLoader stock = Lines.stock(other)) {
          known.addAll(surface(stock));
        }
      }
    }
    if (line.equals("4.3")) {
      known.addAll(known.stream().map(SurfaceIT::withRecordLimit).toList());
    }
    try (URLClassLoader ours = Lines.withDropIn(line, version)) {
      assertEquals(
          known.stream()
              .map(SurfaceIT::withStartCheck)
              .collect(Collectors.toCollection(TreeSet::new)),
          surface(ours));
    }
  }

  /** The interface whose initialization checks the settings has no abstract method. */
  private static String withStartCheck(String member) {
    return member.replace(
        "MetricsRecorder implements []",
        "MetricsRecorder implements [interface " + StartCheck.class.getName() + "]");
  }

  private static String withRecordLimit(String member) {
    return member.replaceAll("(LogValidator\\(.*AppendOrigin)\\)", "$1,int)");
  }

  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void theClassIsLoadedFromTheJar(String version) throws Exception {
    String line = Lines.lineOf(version);
    try (URLClassLoader ours = Lines.withDropIn(line, version)) {
      Class<?> shell = Class.forName(SHADOWED, true, ours);
      assertEquals(
          Lines.jar(line).toUri().toURL(),
          shell.getProtectionDomain().getCodeSource().getLocation());
    }
  }

  private static SortedSet<String> surface(ClassLoader loader)
      throws ClassNotFoundException, IOException {
    SortedSet<String> surface = new TreeSet<>();
    Class<?> shell = Class.forName(SHADOWED, false, loader);
    add(shell, surface);
    for (Class<?> nested : shell.getClasses()) {
      add(nested, surface);
    }
    return surface;
  }

  private static void add(Class<?> type, SortedSet<String> surface) {
    surface.add(type.toGenericString() + " extends " + type.getGenericSuperclass());
    surface.add(type + " implements " + Arrays.toString(type.getGenericInterfaces()));
    surface.add(type + " is a record: " + type.isRecord());
    if (type.isRecord()) {
      surface.add(type + " has " + Arrays.toString(type.getRecordComponents()));
    }
    Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(), type.getDeclaredFields())
        .flatMap(Arrays::stream)
        .filter(SurfaceIT::isVisible)
        .forEach(member -> surface.add(member.toString()));
  }

  private static boolean isVisible(Member member) {
    return Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers());
  }
}
