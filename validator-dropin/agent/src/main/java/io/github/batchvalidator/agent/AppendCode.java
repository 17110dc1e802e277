// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The change of the byte code of {@code UnifiedLog}.
 *
 * <p>The change adds a field that keeps what the drop-in knows of the log. It adds these calls to
 * {@code append}, between the checks of {@code UnifiedLog} and the lock:
 *
 * <pre>{@code
 * field = OffLock.enter(validRecords, validRecords.buffer(), origin, field);
 * try { the rest of the method } finally { OffLock.leave(); }
 * }</pre>
 *
 * <p>{@code OffLock} belongs to the drop-in and is found by the class loader of {@code UnifiedLog}.
 * It never throws. All other code is copied unchanged.
 */
final class AppendCode extends ClassVisitor {
  static final String FIELD = "batchValidatorKnows";

  private static final String HOOK = "io/github/batchvalidator/dropin/OffLock";
  private static final String ENTER = "enter";
  private static final String ENTER_TYPE =
      "(Ljava/lang/Object;Ljava/nio/ByteBuffer;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
  private static final String LEAVE = "leave";
  private static final String LEAVE_TYPE = "()V";
  private static final String OBJECT = "Ljava/lang/Object;";
  private static final String BUFFER = "buffer";
  private static final String BUFFER_TYPE = "()Ljava/nio/ByteBuffer;";
  private static final int THIS = 0;
  private static final int ORIGIN = 2;

  private final AppendShape shape;

  private AppendCode(AppendShape shape, ClassVisitor next) {
    super(Opcodes.ASM9, next);
    this.shape = shape;
  }

  /**
   * Returns the changed class file of {@code UnifiedLog}.
   *
   * @param bytes the original class file
   * @param others the classes that its loader finds
   * @return the changed class file
   * @throws UnexpectedCodeException if the class or the drop-in does not have the expected code
   */
  static byte[] change(byte[] bytes, VisibleClasses others) throws UnexpectedCodeException {
    AppendShape shape = AppendShape.of(bytes);
    if (!others.has(shape.records(), BUFFER, BUFFER_TYPE, false)) {
      throw new UnexpectedCodeException("expected a public method buffer of " + shape.records());
    }
    if (!others.has(HOOK, ENTER, ENTER_TYPE, true) || !others.has(HOOK, LEAVE, LEAVE_TYPE, true)) {
      throw new UnexpectedCodeException(
          "no drop-in jar of the agent's version is on the class path of " + shape.owner());
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new AppendCode(shape, writer), 0);
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
    boolean isAppend =
        name.equals(AppendShape.METHOD)
            && descriptor.equals(shape.descriptor())
            && (access & Opcodes.ACC_STATIC) == 0;
    return isAppend && next != null ? new Body(next) : next;
  }

  @Override
  public void visitEnd() {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_TRANSIENT | Opcodes.ACC_SYNTHETIC;
    super.visitField(access, FIELD, OBJECT, null, null).visitEnd();
    super.visitEnd();
  }

  /** A visitor that copies {@code append} and adds the calls. */
  private final class Body extends MethodVisitor {
    private final Label entered = new Label();
    private boolean isEntered;

    Body(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      if (AppendShape.cuts(owner, name, descriptor, shape.owner(), shape.records())) {
        enter();
      }
    }

    /** Adds the call of {@code enter}. The valid records are on top of the stack and stay there. */
    private void enter() {
      super.visitInsn(Opcodes.DUP);
      super.visitInsn(Opcodes.DUP);
      super.visitMethodInsn(Opcodes.INVOKEVIRTUAL, shape.records(), BUFFER, BUFFER_TYPE, false);
      super.visitVarInsn(Opcodes.ALOAD, ORIGIN);
      super.visitVarInsn(Opcodes.ALOAD, THIS);
      super.visitFieldInsn(Opcodes.GETFIELD, shape.owner(), FIELD, OBJECT);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, ENTER, ENTER_TYPE, false);
      super.visitVarInsn(Opcodes.ALOAD, THIS);
      super.visitInsn(Opcodes.SWAP);
      super.visitFieldInsn(Opcodes.PUTFIELD, shape.owner(), FIELD, OBJECT);
      super.visitLabel(entered);
      isEntered = true;
    }

    private void leave() {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, HOOK, LEAVE, LEAVE_TYPE, false);
    }

    @Override
    public void visitInsn(int opcode) {
      if (isEntered && opcode == Opcodes.ARETURN) {
        leave();
      }
      super.visitInsn(opcode);
    }

    /** Adds a handler after all handlers of the method, so that it is the outermost. */
    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      Label end = new Label();
      super.visitLabel(end);
      super.visitTryCatchBlock(entered, end, end, null);
      Object[] stack = {"java/lang/Throwable"};
      super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, stack);
      leave();
      super.visitInsn(Opcodes.ATHROW);
      super.visitMaxs(maxStack, maxLocals);
    }
  }
}
