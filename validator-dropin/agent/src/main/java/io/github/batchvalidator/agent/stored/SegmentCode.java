// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.util.Set;
import org.objectweb.asm.ClassVisitor;
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
final class SegmentCode extends HookedCode {
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
    super(next);
    this.parts = parts;
  }

  /** Returns the changed class file of {@code LogSegment}, whose code is known. */
  static byte[] change(byte[] bytes, Set<Part> parts) {
    boolean recovers = parts.contains(Part.RECOVERY);
    boolean keeps = parts.contains(Part.KEEP);
    int calls = (recovers ? 1 : 0) + (keeps ? 1 : 0);
    return change(bytes, calls, next -> new SegmentCode(next, parts));
  }

  @Override
  MethodVisitor body(String name, MethodVisitor next) {
    return name.equals(METHOD) ? new Recover(next) : next;
  }

  /** A visitor that copies {@code recover} and adds the calls. */
  private final class Recover extends Body {
    Recover(MethodVisitor next) {
      super(next);
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
      call(HOOKS, METHOD, HOOK_TYPE);
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
        call(CUT_HOOKS, "truncating", "(Ljava/lang/Object;I)V");
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }
}
