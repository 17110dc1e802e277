// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Measures the lock of {@code UnifiedLog.append} from the inside: readings of the clock right
 * behind the instruction that takes it and right before the one that gives it back. The flight
 * recorder has no event for that: it tells how long others waited, see {@link LockRecording}.
 */
public final class LockHoldAgent {
  private static final String TARGET = "/UnifiedLog";
  private static final String FIELD = "lockedAtNanos";
  private static final String CPU_FIELD = "lockedAtCpuNanos";
  private static final String CALLEE = "io/github/batchvalidator/broker/LockHold";

  private LockHoldAgent() {}

  /** Starts with the broker; the argument names the file for the counts. */
  public static void premain(String file, Instrumentation instrumentation) {
    LockHold.writeTo(Path.of(file));
    instrumentation.addTransformer(new Transformer());
  }

  private static final class Transformer implements ClassFileTransformer {
    @Override
    @SuppressWarnings("ReturnsNullArray") // that is how a transformer says no
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        @Nullable String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] bytes) {
      if (name == null || !name.endsWith(TARGET)) {
        return null;
      }
      ClassReader reader = new ClassReader(bytes);
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new Log(writer, name), 0);
      return writer.toByteArray();
    }
  }

  private static final class Log extends ClassVisitor {
    private final String owner;

    Log(ClassVisitor next, String owner) {
      super(Opcodes.ASM9, next);
      this.owner = owner;
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return name.equals("append") && descriptor.contains("/AppendOrigin;")
          ? new Append(next, owner)
          : next;
    }

    @Override
    public void visitEnd() {
      super.visitField(Opcodes.ACC_PRIVATE, FIELD, "J", null, null).visitEnd();
      super.visitField(Opcodes.ACC_PRIVATE, CPU_FIELD, "J", null, null).visitEnd();
      super.visitEnd();
    }
  }

  /** The fields are guarded by the very lock. */
  private static final class Append extends MethodVisitor {
    private final String owner;

    Append(MethodVisitor next, String owner) {
      super(Opcodes.ASM9, next);
      this.owner = owner;
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.MONITOREXIT) {
        now();
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitFieldInsn(Opcodes.GETFIELD, owner, FIELD, "J");
        super.visitInsn(Opcodes.LSUB);
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitFieldInsn(Opcodes.GETFIELD, owner, CPU_FIELD, "J");
        super.visitVarInsn(Opcodes.ALOAD, 2);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, CALLEE, "held", "(JJLjava/lang/Object;)V", false);
      }
      super.visitInsn(opcode);
      if (opcode == Opcodes.MONITORENTER) {
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLEE, "workedNanos", "()J", false);
        super.visitFieldInsn(Opcodes.PUTFIELD, owner, CPU_FIELD, "J");
        super.visitVarInsn(Opcodes.ALOAD, 0);
        now();
        super.visitFieldInsn(Opcodes.PUTFIELD, owner, FIELD, "J");
      }
    }

    private void now() {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "nanoTime", "()J", false);
    }
  }
}
