// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import io.github.batchvalidator.structure.MethodCode.Instruction;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Reads a class file as far as the structure tests need it (JVM specification, chapter 4). */
final class ClassFile {
  static final int INVOKE_STATIC = 184;
  static final int INVOKE_DYNAMIC = 186;
  static final int NEW = 187;
  static final int THROW = 191;

  private static final int TABLE_SWITCH = 170;
  private static final int LOOKUP_SWITCH = 171;
  private static final int FIRST_FIELD_ACCESS = 178;
  private static final int WIDE = 196;
  private static final int IINC = 132;

  private final String className;
  private final Object[] pool;
  private final int[] poolFirst;
  private final int[] poolSecond;
  private final List<String> fieldDescriptors = new ArrayList<>();
  private final List<MethodCode> methods = new ArrayList<>();

  private ClassFile(String className, DataInputStream in) throws IOException {
    this.className = className;
    in.skipNBytes(8);
    int size = in.readUnsignedShort();
    pool = new Object[size];
    poolFirst = new int[size];
    poolSecond = new int[size];
    readPool(in);
    in.skipNBytes(6);
    in.skipNBytes(2L * in.readUnsignedShort());
    readMembers(in, false);
    readMembers(in, true);
  }

  /** Reads the class of this name, with dots, from the class path. */
  static ClassFile of(String className) {
    String file = className.replace('.', '/') + ".class";
    try (InputStream in = ClassFile.class.getClassLoader().getResourceAsStream(file)) {
      byte[] bytes = Objects.requireNonNull(in, file).readAllBytes();
      return new ClassFile(className, new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<MethodCode> methods() {
    return methods;
  }

  List<String> fieldDescriptors() {
    return fieldDescriptors;
  }

  private void readPool(DataInputStream in) throws IOException {
    for (int i = 1; i < pool.length; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> pool[i] = in.readUTF();
        case 3, 4 -> in.skipNBytes(4);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++;
        }
        case 7, 8, 16, 19, 20 -> poolFirst[i] = in.readUnsignedShort();
        case 9, 10, 11, 12, 17, 18 -> {
          poolFirst[i] = in.readUnsignedShort();
          poolSecond[i] = in.readUnsignedShort();
        }
        case 15 -> in.skipNBytes(3);
        default -> throw new IOException("constant pool tag " + tag);
      }
    }
  }

  private String text(int index) {
    return (String) Objects.requireNonNull(pool[index]);
  }

  private void readMembers(DataInputStream in, boolean areMethods) throws IOException {
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      in.skipNBytes(2);
      String name = text(in.readUnsignedShort());
      String descriptor = text(in.readUnsignedShort());
      List<Instruction> code = readAttributes(in);
      if (areMethods) {
        methods.add(new MethodCode(className, name, descriptor, code));
      } else {
        fieldDescriptors.add(descriptor);
      }
    }
  }

  private List<Instruction> readAttributes(DataInputStream in) throws IOException {
    List<Instruction> code = List.of();
    int count = in.readUnsignedShort();
    for (int i = 0; i < count; i++) {
      String name = text(in.readUnsignedShort());
      byte[] content = in.readNBytes(in.readInt());
      if (name.equals("Code")) {
        int length = ByteBuffer.wrap(content).getInt(4);
        code = instructions(ByteBuffer.wrap(content, 8, length).slice());
      }
    }
    return code;
  }

  private List<Instruction> instructions(ByteBuffer code) {
    List<Instruction> all = new ArrayList<>();
    for (int at = 0; at < code.limit(); at += length(code, at)) {
      all.add(instruction(code, at));
    }
    return all;
  }

  private Instruction instruction(ByteBuffer code, int at) {
    int opcode = code.get(at) & 0xFF;
    boolean namesType = opcode == NEW || opcode == 189 || opcode == 192 || opcode == 193;
    if (!namesType && (opcode < FIRST_FIELD_ACCESS || opcode > INVOKE_DYNAMIC)) {
      return new Instruction(opcode, "", "", "");
    }
    int index = code.getShort(at + 1) & 0xFFFF;
    if (namesType) {
      return new Instruction(opcode, text(poolFirst[index]), "", "");
    }
    int nameAndType = poolSecond[index];
    String owner = opcode == INVOKE_DYNAMIC ? "" : text(poolFirst[poolFirst[index]]);
    return new Instruction(
        opcode, owner, text(poolFirst[nameAndType]), text(poolSecond[nameAndType]));
  }

  private static int length(ByteBuffer code, int at) {
    int opcode = code.get(at) & 0xFF;
    int aligned = (at & ~3) + 4;
    return switch (opcode) {
      case TABLE_SWITCH ->
          aligned - at + 12 + 4 * (code.getInt(aligned + 8) - code.getInt(aligned + 4) + 1);
      case LOOKUP_SWITCH -> aligned - at + 8 + 8 * code.getInt(aligned + 4);
      case WIDE -> (code.get(at + 1) & 0xFF) == IINC ? 6 : 4;
      default -> 1 + operandBytes(opcode);
    };
  }

  private static int operandBytes(int opcode) {
    if (opcode == 185 || opcode == INVOKE_DYNAMIC || opcode >= 200) {
      return 4;
    }
    if (opcode == 197) {
      return 3;
    }
    boolean oneByte =
        opcode == 16
            || opcode == 18
            || (opcode >= 21 && opcode <= 25)
            || (opcode >= 54 && opcode <= 58)
            || opcode == 169
            || opcode == 188;
    boolean twoBytes =
        opcode == 17
            || opcode == 19
            || opcode == 20
            || opcode == IINC
            || (opcode >= 153 && opcode <= 168)
            || (opcode >= FIRST_FIELD_ACCESS && opcode <= 189 && opcode != 188)
            || opcode == 192
            || opcode == 193
            || opcode == 198
            || opcode == 199;
    return oneByte ? 1 : twoBytes ? 2 : 0;
  }
}
