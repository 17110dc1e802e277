// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Gives the compiled tests of one Kafka line the names that classes have in the next. */
final class MovedNames {
  private static final String OLD = "org/apache/kafka/common/utils/";
  private static final String NEW = "org/apache/kafka/common/utils/internals/";

  private MovedNames() {}

  /**
   * Returns copies of the jars of tests, in a directory, with the names that the jars of Kafka
   * know.
   */
  static List<Path> apply(List<Path> tests, List<Path> kafka, Path directory) throws IOException {
    Set<String> present = new HashSet<>();
    for (Path jar : kafka) {
      try (JarFile file = new JarFile(jar.toFile())) {
        file.stream().forEach(entry -> present.add(entry.getName()));
      }
    }
    List<Path> renamed = new ArrayList<>();
    for (Path jar : tests) {
      boolean ofKafka = jar.getFileName().toString().startsWith("kafka-");
      renamed.add(ofKafka ? copy(jar, directory.resolve(jar.getFileName()), present) : jar);
    }
    return renamed;
  }

  private static Path copy(Path from, Path to, Set<String> present) throws IOException {
    Remapper names =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String name) {
            String moved = name.startsWith(OLD) ? NEW + name.substring(OLD.length()) : name;
            return present.contains(moved + ".class") ? moved : name;
          }
        };
    try (JarFile in = new JarFile(from.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
      for (JarEntry entry : in.stream().filter(e -> e.getName().endsWith(".class")).toList()) {
        out.putNextEntry(new JarEntry(entry.getName()));
        try (InputStream bytes = in.getInputStream(entry)) {
          ClassWriter writer = new ClassWriter(0);
          new ClassReader(bytes).accept(new ClassRemapper(writer, names), 0);
          out.write(writer.toByteArray());
        }
        out.closeEntry();
      }
    }
    return to;
  }
}
