// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The change of the byte code of {@code Cleaner}. It adds three calls:
 *
 * <pre>{@code
 * CompactionHooks.dirty(topicPartition, segment);                     start of buildOffsetMapForSegment
 * CompactionHooks.read(readBuffer, topicPartition, segment, position);    after each read there
 * CompactionHooks.group(checkDone, throttler, log, segments);         start of cleanSegments
 * }</pre>
 */
final class CleanerCode extends HookedCode {
  static final String OWNER = "org/apache/kafka/storage/internals/log/Cleaner";

  /** The class that is called. */
  static final String HOOKS = "io/github/batchvalidator/agent/compaction/CompactionHooks";

  private static final int CALLS = 3;

  /** The local variable {@code position} of {@code buildOffsetMapForSegment}. */
  private static final int POSITION = 11;

  private CleanerCode(ClassVisitor next) {
    super(next);
  }

  /** Returns the changed class file of {@code Cleaner}, whose code is known. */
  static byte[] change(byte[] bytes) {
    return change(bytes, CALLS, CleanerCode::new);
  }

  @Override
  MethodVisitor body(String name, MethodVisitor next) {
    return switch (name) {
      case "buildOffsetMapForSegment" -> new OffsetMap(next);
      case "cleanSegments" -> new Group(next);
      default -> next;
    };
  }

  /** A visitor that copies {@code buildOffsetMapForSegment} and adds its calls. */
  private final class OffsetMap extends Body {
    OffsetMap(MethodVisitor next) {
      super(next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      partitionAndSegment();
      call(HOOKS, "dirty", "(Ljava/lang/Object;Ljava/lang/Object;)V");
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.equals("readableRecords")) {
        super.visitInsn(Opcodes.DUP);
        partitionAndSegment();
        super.visitVarInsn(Opcodes.ILOAD, POSITION);
        call(HOOKS, "read", "(Ljava/nio/ByteBuffer;Ljava/lang/Object;Ljava/lang/Object;I)V");
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }

    private void partitionAndSegment() {
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitVarInsn(Opcodes.ALOAD, 2);
    }
  }

  /** A visitor that copies {@code cleanSegments} and adds its call. */
  private final class Group extends Body {
    Group(MethodVisitor next) {
      super(next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      field("checkDone", "Ljava/util/function/Consumer;");
      field("throttler", "Lorg/apache/kafka/storage/internals/utils/Throttler;");
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitVarInsn(Opcodes.ALOAD, 2);
      call(
          HOOKS,
          "group",
          "(Ljava/util/function/Consumer;Ljava/lang/Object;Ljava/lang/Object;Ljava/util/List;)V");
    }

    private void field(String name, String descriptor) {
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitFieldInsn(Opcodes.GETFIELD, OWNER, name, descriptor);
    }
  }
}
