// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import io.github.batchvalidator.structure.MethodCode.Instruction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/** The members of a class file, as far as the structure tests need them. */
final class ClassFile {
  private final ClassNode read = new ClassNode();

  private ClassFile() {}

  /** Reads the class of this name, with dots, from the class path. */
  static ClassFile of(String className) {
    String file = className.replace('.', '/') + ".class";
    ClassFile of = new ClassFile();
    try (InputStream in = ClassFile.class.getClassLoader().getResourceAsStream(file)) {
      new ClassReader(Objects.requireNonNull(in, file)).accept(of.read, ClassReader.SKIP_DEBUG);
      return of;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<MethodCode> methods() {
    return read.methods.stream().map(this::code).toList();
  }

  List<String> fieldDescriptors() {
    return read.fields.stream().map(field -> field.desc).toList();
  }

  private MethodCode code(MethodNode method) {
    List<Instruction> code =
        Arrays.stream(method.instructions.toArray())
            .filter(in -> in.getOpcode() >= 0) // neither labels nor frames
            .map(ClassFile::instruction)
            .toList();
    return new MethodCode(read.name.replace('/', '.'), method.name, method.desc, code);
  }

  private static Instruction instruction(AbstractInsnNode in) {
    int opcode = in.getOpcode();
    if (in instanceof TypeInsnNode of) {
      return new Instruction(opcode, of.desc, "", "");
    } else if (in instanceof FieldInsnNode of) {
      return new Instruction(opcode, of.owner, of.name, of.desc);
    } else if (in instanceof MethodInsnNode of) {
      return new Instruction(opcode, of.owner, of.name, of.desc);
    } else if (in instanceof InvokeDynamicInsnNode of) {
      return new Instruction(opcode, "", of.name, of.desc);
    }
    return new Instruction(opcode, "", "", "");
  }
}
