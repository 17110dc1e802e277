// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import java.util.List;

/**
 * The instructions of a compiled method.
 *
 * @param className with dots
 * @param descriptor types of parameters and result, as in the class file
 */
record MethodCode(
    String className, String name, String descriptor, List<Instruction> instructions) {

  /**
   * One instruction; what it does not have is empty.
   *
   * @param owner the class that a member belongs to or that a type instruction names, with slashes
   */
  record Instruction(int opcode, String owner, String name, String descriptor) {
    boolean is(int wanted) {
      return opcode == wanted;
    }
  }

  /** Returns class and method as a person writes them. */
  String label() {
    return className + "." + name;
  }
}
