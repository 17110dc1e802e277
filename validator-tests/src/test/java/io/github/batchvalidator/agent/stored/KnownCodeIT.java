// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.agent.VisibleClasses;
import io.github.batchvalidator.dropin.Lines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The agent knows the code of the tested versions, and no other. {@code -Dknown.code.update=true}
 * writes the table.
 */
class KnownCodeIT {
  private static final List<String> VERSIONS = List.of("4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0");
  private static final String TABLE = "known-code.txt";

  @Test
  void tableIsThatOfTheTestedVersions() throws Exception {
    Map<String, List<Path>> versions = new LinkedHashMap<>();
    VERSIONS.forEach(version -> versions.put(version, Lines.kafka(version)));
    String table =
        CalledCode.table(
            List.of(CalledCode.ofRecovery(), CalledCode.ofKeeping(), CalledCode.ofCompaction()),
            versions);
    if (Boolean.getBoolean("known.code.update")) {
      Path sources = Path.of(System.getProperty("dropin.directory"), "agent/src/main/resources");
      String folder = KnownCode.class.getPackageName().replace('.', '/');
      Files.writeString(sources.resolve(folder).resolve(TABLE), table);
    }
    try (var in = Objects.requireNonNull(KnownCode.class.getResourceAsStream(TABLE))) {
      assertEquals(table, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.1.1", "4.2.0", "4.2.2", "4.3.1", "4.4.0"})
  void eachTestedVersionIsKnown(String version) throws Exception {
    assertEquals(List.of(version), versionsOf(Part.RECOVERY, Lines.kafka(version)));
    assertTrue(versionsOf(Part.KEEP, Lines.kafka(version)).contains(version));
    assertTrue(versionsOf(Part.COMPACTION, Lines.kafka(version)).contains(version));
  }

  @Test
  void allVersionsWithTheSameCodeAreNamed() throws Exception {
    List<String> same = List.of("4.3.1", "4.4.0");
    assertEquals(same, versionsOf(Part.KEEP, Lines.kafka("4.3.1")));
    assertEquals(same, versionsOf(Part.KEEP, Lines.kafka("4.4.0")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.9.2", "4.0.1"})
  void aVersionThatWasNotTestedIsNotKnown(String version) {
    assertThrows(UnknownCodeException.class, () -> versionsOf(Part.RECOVERY, Lines.kafka(version)));
  }

  @Test
  void codeOfTwoVersionsIsNotKnown() {
    List<Path> mixed =
        List.of(
            jar("4.4.0", "kafka-storage-4"),
            jar("4.3.1", "kafka-clients"),
            jar("4.3.1", "kafka-server-common"));
    UnknownCodeException unknown =
        assertThrows(UnknownCodeException.class, () -> versionsOf(Part.RECOVERY, mixed));
    String message = String.valueOf(unknown.getMessage());
    assertTrue(message.startsWith("it does not know the code of org/apache/kafka/"), message);
  }

  @Test
  void aDigestDoesNotDependOnTheConstantPool() throws Exception {
    byte[] original = segmentClass();
    ClassWriter writer = new ClassWriter(0); // numbers the constants again
    new ClassReader(original).accept(writer, 0);
    assertTrue(writer.toByteArray().length != original.length, "the same file");
    assertEquals(
        KnownCode.digest(CodeText.of(original), "*"),
        KnownCode.digest(CodeText.of(writer.toByteArray()), "*"));
  }

  @Test
  void aDigestDependsOnEachConstant() throws Exception {
    byte[] original = segmentClass();
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(original).accept(new OtherConstant(writer), 0);
    CodeText changed = CodeText.of(writer.toByteArray());
    assertTrue(
        !KnownCode.digest(CodeText.of(original), "recover")
            .equals(KnownCode.digest(changed, "recover")));
    assertEquals(
        KnownCode.digest(CodeText.of(original), "updateProducerState"),
        KnownCode.digest(changed, "updateProducerState"));
  }

  private static byte[] segmentClass() throws Exception {
    try (ClassPathLoader loader = ClassPathLoader.of(Lines.kafka("4.3.1"))) {
      return new VisibleClasses(loader).bytes(SegmentCode.OWNER);
    }
  }

  private static List<String> versionsOf(Part part, List<Path> path) throws Exception {
    try (ClassPathLoader loader = ClassPathLoader.of(path)) {
      return KnownCode.load().versionsOf(part.label(), new VisibleClasses(loader));
    }
  }

  private static Path jar(String version, String name) {
    return Lines.kafka(version).stream()
        .filter(each -> each.getFileName().toString().startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  /** Adds a statement to {@code recover}. */
  private static final class OtherConstant extends ClassVisitor {
    OtherConstant(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      if (!name.equals("recover")) {
        return next;
      }
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitCode() {
          super.visitCode();
          super.visitInsn(Opcodes.ICONST_1);
          super.visitInsn(Opcodes.POP);
        }
      };
    }
  }
}
