// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The change of the byte code of {@code LogLoader}. It adds a call before each statement that
 * empties or deletes segments:
 *
 * <pre>{@code
 * CutHooks.emptying(segment);               segment.truncateTo(startOffset);
 * CutHooks.deletingAfterCut(segments);      removeAndDeleteSegmentsAsync(segments);
 * CutHooks.deletingBeforeStart(segments);   removeAndDeleteSegmentsAsync(segments);
 * }</pre>
 */
final class LoaderCode extends ClassVisitor {
  static final String OWNER = "org/apache/kafka/storage/internals/log/LogLoader";

  /** The calls of {@code recoverLog} and {@code deleteSegmentsIfLogStartGreaterThanLogEnd}. */
  static final int CALLS = 3;

  private static final String DELETE = "removeAndDeleteSegmentsAsync";
  private static final String RECOVER = "recoverLog";

  private int calls;

  private LoaderCode(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** Returns the changed class file of {@code LogLoader}, whose code is known. */
  static byte[] change(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    LoaderCode code = new LoaderCode(writer);
    reader.accept(code, 0);
    if (code.calls != CALLS) {
      throw new IllegalStateException("expected " + CALLS + " calls that cut, not " + code.calls);
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
    return next == null ? null : new Body(next, name);
  }

  /** A visitor that adds the calls. */
  private final class Body extends MethodVisitor {
    private final String method;

    Body(MethodVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.equals(SegmentCode.OWNER) && name.equals("truncateTo")) {
        calls++;
        emptying();
      } else if (owner.equals(OWNER) && name.equals(DELETE)) {
        calls++;
        super.visitInsn(Opcodes.DUP);
        String hook = method.equals(RECOVER) ? "deletingAfterCut" : "deletingBeforeStart";
        call(hook, "(Ljava/util/Collection;)V");
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    /** The stack has the segment and an offset of two slots, and keeps them. */
    private void emptying() {
      super.visitInsn(Opcodes.DUP2_X1);
      super.visitInsn(Opcodes.POP2);
      super.visitInsn(Opcodes.DUP);
      call("emptying", "(Ljava/lang/Object;)V");
      super.visitInsn(Opcodes.DUP_X2);
      super.visitInsn(Opcodes.POP);
    }

    private void call(String hook, String descriptor) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, SegmentCode.CUT_HOOKS, hook, descriptor, false);
    }
  }
}
