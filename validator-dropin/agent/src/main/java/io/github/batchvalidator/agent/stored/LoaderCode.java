// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import org.objectweb.asm.ClassVisitor;
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
final class LoaderCode extends HookedCode {
  static final String OWNER = "org/apache/kafka/storage/internals/log/LogLoader";

  /** The calls of {@code recoverLog} and {@code deleteSegmentsIfLogStartGreaterThanLogEnd}. */
  static final int CALLS = 3;

  private static final String DELETE = "removeAndDeleteSegmentsAsync";
  private static final String RECOVER = "recoverLog";

  private LoaderCode(ClassVisitor next) {
    super(next);
  }

  /** Returns the changed class file of {@code LogLoader}, whose code is known. */
  static byte[] change(byte[] bytes) {
    return change(bytes, CALLS, LoaderCode::new);
  }

  @Override
  MethodVisitor body(String name, MethodVisitor next) {
    return new Cuts(next, name);
  }

  /** A visitor that adds the calls. */
  private final class Cuts extends Body {
    private final String method;

    Cuts(MethodVisitor next, String method) {
      super(next);
      this.method = method;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.equals(SegmentCode.OWNER) && name.equals("truncateTo")) {
        emptying();
      } else if (owner.equals(OWNER) && name.equals(DELETE)) {
        super.visitInsn(Opcodes.DUP);
        String hook = method.equals(RECOVER) ? "deletingAfterCut" : "deletingBeforeStart";
        call(SegmentCode.CUT_HOOKS, hook, "(Ljava/util/Collection;)V");
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    /** The stack has the segment and an offset of two slots, and keeps them. */
    private void emptying() {
      super.visitInsn(Opcodes.DUP2_X1);
      super.visitInsn(Opcodes.POP2);
      super.visitInsn(Opcodes.DUP);
      call(SegmentCode.CUT_HOOKS, "emptying", "(Ljava/lang/Object;)V");
      super.visitInsn(Opcodes.DUP_X2);
      super.visitInsn(Opcodes.POP);
    }
  }
}
