// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The change of the byte code of {@code LogSegment}. It adds these lines to {@code recover}, each
 * for a part of the agent:
 *
 * <pre>{@code
 * if (RecoveryHooks.recover(this, producerStateManager, leaderEpochCache)) return 0;
 * ...
 * CutHooks.truncating(this, validBytes);    log.truncateTo(validBytes);
 * }</pre>
 */
final class SegmentCode extends ClassVisitor {
  static final String OWNER = "org/apache/kafka/storage/internals/log/LogSegment";

  private static final String HOOKS = "io/github/batchvalidator/agent/recovery/RecoveryHooks";

  /** The class that is called before a cut. */
  static final String CUT_HOOKS = "io/github/batchvalidator/agent/keep/CutHooks";

  private static final String METHOD = "recover";
  private static final String HOOK_TYPE =
      "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Z";
  private static final int ARGUMENTS = 3;

  private final Set<Part> parts;

  private SegmentCode(ClassVisitor next, Set<Part> parts) {
    super(Opcodes.ASM9, next);
    this.parts = parts;
  }

  /** Returns the changed class file of {@code LogSegment}, whose code is known. */
  static byte[] change(byte[] bytes, Set<Part> parts) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new SegmentCode(writer, parts), 0);
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
    return name.equals(METHOD) && next != null ? new Entry(next) : next;
  }

  /** A visitor that copies {@code recover} and adds the calls. */
  private final class Entry extends MethodVisitor {
    Entry(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (!parts.contains(Part.RECOVERY)) {
        return;
      }
      for (int slot = 0; slot < ARGUMENTS; slot++) {
        super.visitVarInsn(Opcodes.ALOAD, slot);
      }
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOKS, METHOD, HOOK_TYPE, false);
      Label stock = new Label();
      super.visitJumpInsn(Opcodes.IFEQ, stock);
      super.visitInsn(Opcodes.ICONST_0);
      super.visitInsn(Opcodes.IRETURN);
      super.visitLabel(stock);
      super.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      boolean cuts = owner.endsWith("/FileRecords") && name.equals("truncateTo");
      if (cuts && parts.contains(Part.KEEP)) {
        super.visitInsn(Opcodes.DUP);
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitInsn(Opcodes.SWAP);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, CUT_HOOKS, "truncating", "(Ljava/lang/Object;I)V", false);
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }
}
