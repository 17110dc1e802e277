// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The shape of {@code UnifiedLog} that the change of {@link AppendCode} requires.
 *
 * <ul>
 *   <li>The class has one method {@code append} that takes records and an origin and returns an
 *       object.
 *   <li>The method trims invalid bytes once. It then takes its only lock, without a branch in
 *       between.
 *   <li>The method does not assign to {@code this} or to the origin.
 *   <li>The class does not have the field that the change adds.
 * </ul>
 */
final class AppendShape extends ClassVisitor {
  static final String METHOD = "append";
  static final String CUT = "trimInvalidBytes";

  private static final String RECORDS_SUFFIX = "/MemoryRecords";
  private static final String ORIGIN = "org/apache/kafka/storage/internals/log/AppendOrigin";

  private String owner = "";
  private @Nullable String descriptor;
  private int appends;
  private boolean hasField;
  private final Body body = new Body();

  private AppendShape() {
    super(Opcodes.ASM9);
  }

  /**
   * Checks the shape of a class.
   *
   * @param bytes the class file
   * @return the shape, which is as required
   * @throws UnexpectedCodeException if the shape differs; the message names the first difference
   */
  static AppendShape of(byte[] bytes) throws UnexpectedCodeException {
    AppendShape shape = new AppendShape();
    new ClassReader(bytes).accept(shape, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    String missing = shape.missing();
    if (missing != null) {
      throw new UnexpectedCodeException("expected " + missing + ", in " + shape.owner);
    }
    return shape;
  }

  private @Nullable String missing() {
    if (hasField) {
      return "no field " + AppendCode.FIELD;
    }
    if (appends != 1) {
      return "one method append of records and an origin, but found " + appends;
    }
    return returnsReference() ? body.missing() : "append to return an object";
  }

  private boolean returnsReference() {
    int sort = Type.getReturnType(descriptor()).getSort();
    return sort == Type.OBJECT || sort == Type.ARRAY;
  }

  /** {@return the internal name of the class, as in class files} */
  String owner() {
    return owner;
  }

  /** {@return the internal name of the type of the records, which differs between Kafka lines} */
  String records() {
    return Type.getArgumentTypes(descriptor())[0].getInternalName();
  }

  /** {@return the descriptor of {@code append}} */
  String descriptor() {
    return descriptor == null ? "" : descriptor;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    owner = name;
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access, String name, String type, @Nullable String signature, @Nullable Object value) {
    hasField |= name.equals(AppendCode.FIELD);
    return null;
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String type,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    if (!name.equals(METHOD) || (access & Opcodes.ACC_STATIC) != 0 || !takesAppend(type)) {
      return null;
    }
    appends++;
    descriptor = type;
    return body;
  }

  private static boolean takesAppend(String type) {
    Type[] arguments = Type.getArgumentTypes(type);
    return arguments.length > 1
        && arguments[0].getSort() == Type.OBJECT
        && arguments[0].getInternalName().endsWith(RECORDS_SUFFIX)
        && arguments[1].getSort() == Type.OBJECT
        && arguments[1].getInternalName().equals(ORIGIN);
  }

  /** {@return true if a call trims the invalid bytes} */
  static boolean cuts(String callOwner, String name, String type, String owner, String records) {
    return callOwner.equals(owner)
        && name.equals(CUT)
        && type.startsWith("(L" + records + ";")
        && type.endsWith(")L" + records + ";");
  }

  /** A visitor that examines {@code append}. */
  private final class Body extends MethodVisitor {
    private int cuts;
    private int locks;
    private int locksBeforeCut;
    private int branchesAfterCut;
    private boolean receiverOrOriginReplaced;

    Body() {
      super(Opcodes.ASM9);
    }

    private @Nullable String missing() {
      if (cuts != 1) {
        return "one call of " + CUT + " in append, but found " + cuts;
      }
      if (locks != 1 || locksBeforeCut != 0) {
        return "one lock in append, taken after " + CUT + ", but found " + locks;
      }
      if (branchesAfterCut != 0) {
        return "no branch between " + CUT + " and the lock in append";
      }
      return receiverOrOriginReplaced ? "append to keep its arguments" : null;
    }

    private boolean isBetween() {
      return cuts > 0 && locks == 0;
    }

    @Override
    public void visitMethodInsn(
        int opcode, String callOwner, String name, String type, boolean isInterface) {
      if (cuts(callOwner, name, type, owner, records())) {
        cuts++;
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITORENTER) {
        locks++;
        locksBeforeCut += cuts == 0 ? 1 : 0;
      } else if (isBetween()) {
        branchesAfterCut +=
            (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW
                ? 1
                : 0;
      }
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
      receiverOrOriginReplaced |=
          opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE && (slot == 0 || slot == 2);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
      branchesAfterCut += isBetween() ? 1 : 0;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
      branchesAfterCut += isBetween() ? 1 : 0;
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
      branchesAfterCut += isBetween() ? 1 : 0;
    }
  }
}
