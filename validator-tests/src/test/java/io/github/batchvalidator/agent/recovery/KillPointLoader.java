// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.recovery;

import io.github.batchvalidator.agent.stored.RecoveringLoader;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Loads Kafka and the agent so that each call that may change a file is a {@link KillPoints}. */
final class KillPointLoader extends RecoveringLoader {
  private static final int API = Opcodes.ASM9;
  private static final String POINTS = KillPoints.class.getName().replace('.', '/');
  private static final List<String> WATCHED =
      List.of(
          "org/apache/kafka/storage/internals/",
          "org/apache/kafka/server/common/CheckpointFile",
          "org/apache/kafka/common/record/",
          "org/apache/kafka/common/utils/Utils",
          "io/github/batchvalidator/agent/keep/",
          "io/github/batchvalidator/agent/recovery/");

  private int sites;

  private KillPointLoader(URL[] path) throws IOException {
    super(path);
  }

  static KillPointLoader ofKafka(List<Path> path) throws IOException {
    return new KillPointLoader(urls(path));
  }

  @Override
  protected boolean isChanged(String file) {
    return super.isChanged(file)
        || (!file.equals(POINTS) && WATCHED.stream().anyMatch(file::startsWith));
  }

  @Override
  protected byte[] change(String file, byte[] original) throws ClassNotFoundException {
    byte[] changed = super.isChanged(file) ? super.change(file, original) : original;
    ClassReader reader = new ClassReader(changed);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Points(writer), 0);
    return writer.toByteArray();
  }

  private final class Points extends ClassVisitor {
    Points(ClassVisitor next) {
      super(API, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(API, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          if (owner.startsWith("java/nio/") || owner.startsWith("java/io/")) {
            super.visitLdcInsn(sites++);
            super.visitMethodInsn(Opcodes.INVOKESTATIC, POINTS, "reach", "(I)V", false);
          }
          super.visitMethodInsn(opcode, owner, called, type, isInterface);
        }
      };
    }
  }
}
