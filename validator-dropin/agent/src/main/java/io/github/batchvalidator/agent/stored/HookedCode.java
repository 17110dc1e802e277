// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** A visitor that copies a class of Kafka, whose code is known, and adds calls of hooks. */
abstract class HookedCode extends ClassVisitor {
  private int calls;

  HookedCode(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /**
   * Returns the changed class file.
   *
   * @param bytes the class file
   * @param calls the number of calls to add
   * @param change returns the visitor that adds them
   */
  static byte[] change(byte[] bytes, int calls, Function<ClassVisitor, HookedCode> change) {
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    HookedCode code = change.apply(writer);
    reader.accept(code, 0);
    if (code.calls != calls) {
      throw new IllegalStateException("expected " + calls + " calls to add, not " + code.calls);
    }
    return writer.toByteArray();
  }

  @Override
  public final @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return next == null ? null : body(name, next);
  }

  /** Returns a visitor that adds calls to a method, or the next visitor if there are none. */
  abstract MethodVisitor body(String name, MethodVisitor next);

  /** A visitor that copies a method and adds calls. */
  class Body extends MethodVisitor {
    Body(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    /** Adds a call of a static method. */
    final void call(String owner, String hook, String descriptor) {
      calls++;
      super.visitMethodInsn(Opcodes.INVOKESTATIC, owner, hook, descriptor, false);
    }
  }
}
