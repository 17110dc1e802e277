// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What matters of a changed {@code append}, in the order of its code from the first call on. */
final class AppendEvents extends ClassVisitor {
  private final List<String> events = new ArrayList<>();

  private AppendEvents() {
    super(Opcodes.ASM9);
  }

  /** Returns the events; what Kafka itself throws is left out. */
  static String of(byte[] bytes) {
    AppendEvents found = new AppendEvents();
    new ClassReader(bytes).accept(found, ClassReader.SKIP_DEBUG);
    List<String> events = found.events;
    events.subList(0, events.indexOf("enter")).clear();
    return String.join(" ", events);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    return name.equals(AppendShape.METHOD) && descriptor.contains("AppendOrigin")
        ? new Body()
        : null;
  }

  private final class Body extends MethodVisitor {
    Body() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (owner.endsWith("/OffLock")) {
        events.add(name);
      }
    }

    private String last() {
      return events.get(events.size() - 1);
    }

    @Override
    public void visitInsn(int opcode) {
      switch (opcode) {
        case Opcodes.MONITORENTER -> events.add("lock");
        case Opcodes.ARETURN -> events.add("return");
        case Opcodes.ATHROW -> {
          if (!events.isEmpty() && last().equals("leave")) {
            events.add("throw");
          }
        }
        default -> {}
      }
    }
  }
}
