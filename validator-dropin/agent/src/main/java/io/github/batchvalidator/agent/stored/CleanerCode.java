// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The change of the byte code of {@code Cleaner}. It adds a call at the start of two methods:
 *
 * <pre>{@code
 * CompactionHooks.dirty(checkDone, throttler, topicPartition, segment);   buildOffsetMapForSegment
 * CompactionHooks.group(checkDone, throttler, log, segments);             cleanSegments
 * }</pre>
 */
final class CleanerCode extends ClassVisitor {
  static final String OWNER = "org/apache/kafka/storage/internals/log/Cleaner";

  /** The class that is called. */
  static final String HOOKS = "io/github/batchvalidator/agent/compaction/CompactionHooks";

  private static final int CALLS = 2;
  private static final String CONSUMER = "Ljava/util/function/Consumer;";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String THROTTLER = "Lorg/apache/kafka/storage/internals/utils/Throttler;";

  private int calls;

  private CleanerCode(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Returns the changed class file of {@code Cleaner}, whose code is known. */
  static byte[] change(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    CleanerCode code = new CleanerCode(writer);
    reader.accept(code, 0);
    if (code.calls != CALLS) {
      throw new IllegalStateException("expected " + CALLS + " methods, not " + code.calls);
    }
    return writer.toByteArray();
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (next == null) {
      return null;
    }
    return switch (name) {
      case "buildOffsetMapForSegment" -> new Entry(next, "dirty", OBJECT);
      case "cleanSegments" -> new Entry(next, "group", "Ljava/util/List;");
      default -> next;
    };
  }

  /** A visitor that copies a method and adds the call. */
  private final class Entry extends MethodVisitor {
    private final String hook;
    private final String second;

    Entry(MethodVisitor next, String hook, String second) {
      super(Opcodes.ASM9, next);
      this.hook = hook;
      this.second = second;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      calls++;
      field("checkDone", CONSUMER);
      field("throttler", THROTTLER);
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitVarInsn(Opcodes.ALOAD, 2);
      String type = "(" + CONSUMER + OBJECT + OBJECT + second + ")V";
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, hook, type, false);
    }

    private void field(String name, String descriptor) {
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitFieldInsn(Opcodes.GETFIELD, OWNER, name, descriptor);
    }
  }
}
