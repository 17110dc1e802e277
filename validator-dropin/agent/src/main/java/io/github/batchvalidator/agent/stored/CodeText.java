// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The code of the methods of a class as text: instructions, operands and exception handlers.
 *
 * <p>The text does not depend on the order of the constant pool, line numbers, local variable names
 * or the numbers that javac gives to lambdas. The text of a method includes its lambdas.
 */
final class CodeText extends ClassVisitor {
  /** The code of a class without methods. */
  static final CodeText NONE = new CodeText();

  private static final String LAMBDA = "lambda$";

  private final Map<String, StringBuilder> texts = new TreeMap<>();
  private String owner = "";

  private CodeText() {
    super(Opcodes.ASM9);
  }

  /** Reads a class file. */
  static CodeText of(byte[] classFile) {
    CodeText text = new CodeText();
    new ClassReader(classFile).accept(text, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return text;
  }

  /**
   * Returns the text of all methods with a name, or of all methods for {@code *}.
   *
   * @return the text; empty if the class has no such method
   */
  String of(String name) {
    StringBuilder found = new StringBuilder();
    texts.forEach(
        (method, text) -> {
          boolean matches = name.equals("*") || method.startsWith(name + "(");
          if (matches && !method.startsWith(LAMBDA)) {
            found.append(method).append('\n').append(withLambdas(text, 0));
          }
        });
    return found.toString();
  }

  /** Returns a text with the text of each lambda after the line that creates the lambda. */
  private String withLambdas(CharSequence text, int depth) {
    StringBuilder all = new StringBuilder();
    for (String line : text.toString().lines().toList()) {
      int at = line.indexOf(owner + "." + LAMBDA);
      if (at < 0 || depth > 8) {
        all.append(line).append('\n');
        continue;
      }
      int end = line.indexOf(' ', at);
      String lambda = line.substring(at + owner.length() + 1, end < 0 ? line.length() : end);
      all.append(line, 0, at).append(LAMBDA).append(lambda.substring(lambda.indexOf('(')));
      all.append('\n')
          .append(withLambdas(texts.getOrDefault(lambda, new StringBuilder()), depth + 1));
    }
    return all.toString();
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
  public MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    StringBuilder text = new StringBuilder();
    texts.put(name + descriptor, text);
    return new Body(text);
  }

  /** A visitor that writes one line per instruction. */
  private static final class Body extends MethodVisitor {
    private final StringBuilder text;
    private final Map<Label, Integer> labels = new HashMap<>();

    Body(StringBuilder text) {
      super(Opcodes.ASM9);
      this.text = text;
    }

    private void line(int opcode, Object... operands) {
      text.append(opcode);
      for (Object each : operands) {
        text.append(' ').append(each);
      }
      text.append('\n');
    }

    private String at(Label label) {
      return "L" + labels.computeIfAbsent(label, any -> labels.size());
    }

    private String all(Label... targets) {
      StringBuilder names = new StringBuilder();
      for (Label each : targets) {
        names.append(at(each)).append(',');
      }
      return names.toString();
    }

    private static String constant(Object value) {
      if (value instanceof Handle handle) {
        return handle.getTag()
            + " "
            + handle.getOwner()
            + "."
            + handle.getName()
            + handle.getDesc();
      }
      String plain = String.valueOf(value);
      return value.getClass().getSimpleName() + ":" + plain.replace("\n", "\\n");
    }

    @Override
    public void visitInsn(int opcode) {
      line(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      line(opcode, operand);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
      line(opcode, slot);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      line(opcode, type);
    }

    @Override
    public void visitFieldInsn(int opcode, String holder, String name, String descriptor) {
      line(opcode, holder, name, descriptor);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String holder, String name, String descriptor, boolean isInterface) {
      line(opcode, holder + "." + name + descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      line(Opcodes.INVOKEDYNAMIC, name, descriptor, constant(bootstrap));
      for (Object each : arguments) {
        line(Opcodes.INVOKEDYNAMIC, constant(each));
      }
    }

    @Override
    public void visitJumpInsn(int opcode, Label target) {
      line(opcode, at(target));
    }

    @Override
    public void visitLabel(Label label) {
      text.append(at(label)).append('\n');
    }

    @Override
    public void visitLdcInsn(Object value) {
      line(Opcodes.LDC, constant(value));
    }

    @Override
    public void visitIincInsn(int slot, int increment) {
      line(Opcodes.IINC, slot, increment);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label other, Label... targets) {
      line(Opcodes.TABLESWITCH, min, max, at(other), all(targets));
    }

    @Override
    public void visitLookupSwitchInsn(Label other, int[] keys, Label[] targets) {
      line(Opcodes.LOOKUPSWITCH, Arrays.toString(keys), at(other), all(targets));
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
      line(Opcodes.MULTIANEWARRAY, descriptor, dimensions);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
      text.append("try ").append(all(start, end, handler)).append(type).append('\n');
    }
  }
}
