// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Jars of a drop-in and an agent of different versions, as far as one could use the other's core.
 */
public final class OtherDropIn {
  private static final String OURS = "io/github/batchvalidator/";
  private static final String RELOCATED = OURS + "agent/shaded/";
  private static final String CLASS = ".class";
  private static final String ERROR = "java/lang/IllegalAccessError";

  private OtherDropIn() {}

  /**
   * Writes a drop-in jar of another version: its classes have the same names and none of their
   * members, and throw when they are used.
   */
  public static Path write(String line, Path to) throws IOException {
    return copy(Lines.jar(line), to, OtherDropIn::emptied);
  }

  /** Writes a jar of the agent that uses the core of whatever drop-in comes first. */
  public static Path writeAgentWithoutCore(Path to) throws IOException {
    Remapper names =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String name) {
            return name.startsWith(RELOCATED) ? OURS + name.substring(RELOCATED.length()) : name;
          }
        };
    UnaryOperator<byte[]> renamed =
        bytes -> {
          ClassWriter writer = new ClassWriter(0);
          new ClassReader(bytes).accept(new ClassRemapper(writer, names), 0);
          return writer.toByteArray();
        };
    return copy(Lines.jars().agentJar(), to, renamed);
  }

  private static Path copy(Path from, Path to, UnaryOperator<byte[]> change) throws IOException {
    try (JarFile in = new JarFile(from.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(to))) {
      for (JarEntry entry : in.stream().filter(each -> isOurs(each.getName())).toList()) {
        try (InputStream stream = in.getInputStream(entry)) {
          byte[] written = change.apply(stream.readAllBytes());
          out.putNextEntry(new JarEntry(new ClassReader(written).getClassName() + CLASS));
          out.write(written);
          out.closeEntry();
        }
      }
    }
    return to;
  }

  /** Leaves out Kafka's names, so that the log is stock Kafka's, and resources. */
  private static boolean isOurs(String name) {
    return name.startsWith(OURS) && name.endsWith(CLASS);
  }

  private static byte[] emptied(byte[] bytes) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    String name = new ClassReader(bytes).getClassName();
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER;
    writer.visit(Opcodes.V17, access, name, null, "java/lang/Object", null);
    MethodVisitor start = writer.visitMethod(Opcodes.ACC_STATIC, "<clinit>", "()V", null, null);
    start.visitCode();
    start.visitTypeInsn(Opcodes.NEW, ERROR);
    start.visitInsn(Opcodes.DUP);
    start.visitLdcInsn(name + " of another version");
    start.visitMethodInsn(Opcodes.INVOKESPECIAL, ERROR, "<init>", "(Ljava/lang/String;)V", false);
    start.visitInsn(Opcodes.ATHROW);
    start.visitMaxs(0, 0);
    start.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }
}
