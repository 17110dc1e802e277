// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A {@code UnifiedLog} as another Kafka might have it; only read, and never loaded. */
enum OtherLog {
  NO_APPEND,
  NO_ORIGIN,
  NO_RESULT,
  NO_CUT,
  TWO_CUTS,
  NO_LOCK,
  LOCK_BEFORE,
  SECOND_LOCK,
  BRANCH_BETWEEN,
  RETURN_BETWEEN,
  ORIGIN_REPLACED,
  FIELD_THERE;

  byte[] of(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes).accept(new Changes(writer), ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  private final class Changes extends ClassVisitor {
    Changes(ClassVisitor next) {
      super(Opcodes.ASM9, next);
      if (OtherLog.this == FIELD_THERE) {
        super.visitField(0, AppendCode.FIELD, "I", null, null);
      }
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      boolean append = name.equals("append") && descriptor.contains("AppendOrigin");
      String newName = append && OtherLog.this == NO_APPEND ? "appendAll" : name;
      String newType = append ? type(descriptor) : descriptor;
      MethodVisitor next = super.visitMethod(access, newName, newType, signature, exceptions);
      return append ? new Body(next) : next;
    }
  }

  private String type(String descriptor) {
    return switch (this) {
      case NO_ORIGIN -> descriptor.replace("log/AppendOrigin", "log/AppendSource");
      case NO_RESULT -> Type.getMethodDescriptor(Type.VOID_TYPE, Type.getArgumentTypes(descriptor));
      default -> descriptor;
    };
  }

  private final class Body extends MethodVisitor {
    Body(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (OtherLog.this == LOCK_BEFORE) {
        super.visitInsn(Opcodes.MONITORENTER);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (!name.equals("trimInvalidBytes")) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        return;
      }
      String cut = OtherLog.this == NO_CUT ? "cutInvalidBytes" : name;
      super.visitMethodInsn(opcode, owner, cut, descriptor, isInterface);
      switch (OtherLog.this) {
        case TWO_CUTS -> super.visitMethodInsn(opcode, owner, cut, descriptor, isInterface);
        case BRANCH_BETWEEN -> {
          Label there = new Label();
          super.visitJumpInsn(Opcodes.GOTO, there);
          super.visitLabel(there);
        }
        case RETURN_BETWEEN -> super.visitInsn(Opcodes.ARETURN);
        case ORIGIN_REPLACED -> super.visitVarInsn(Opcodes.ASTORE, 2);
        default -> {}
      }
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITORENTER && OtherLog.this == NO_LOCK) {
        super.visitInsn(Opcodes.POP);
        return;
      }
      super.visitInsn(opcode);
      if (opcode == Opcodes.MONITORENTER && OtherLog.this == SECOND_LOCK) {
        super.visitInsn(opcode);
      }
    }
  }
}
