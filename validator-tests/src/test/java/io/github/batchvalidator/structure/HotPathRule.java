// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.INVOKEDYNAMIC;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.NEW;

import io.github.batchvalidator.structure.MethodCode.Instruction;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What code between entry and verdict does not do. */
enum HotPathRule {
  /** Neither lambdas nor strings put together: both are made by {@code invokedynamic}. */
  NO_INVOKE_DYNAMIC,
  /** No text is built. */
  NO_TEXT,
  /** No number is wrapped in an object, in calls or in signatures. */
  NO_BOXING,
  /** Neither streams nor optional values. */
  NO_STREAMS,
  /** Nothing that can be thrown is made. */
  NO_NEW_THROWABLE,
  /** Nothing is thrown. */
  NO_THROW;

  private static final Pattern BOXED =
      Pattern.compile(
          "Ljava/lang/(Integer|Long|Short|Byte|Character|Boolean|Float|Double|Number);");
  private static final Pattern STREAMS = Pattern.compile("java/util/(stream/|Optional)");

  /** Returns whether a method breaks the rule. */
  boolean isBrokenBy(MethodCode code) {
    return switch (this) {
      case NO_INVOKE_DYNAMIC -> any(code, in -> in.is(INVOKEDYNAMIC));
      case NO_TEXT -> any(code, HotPathRule::makesText);
      case NO_BOXING -> names(BOXED, code) || any(code, HotPathRule::boxes);
      case NO_STREAMS -> names(STREAMS, code);
      case NO_NEW_THROWABLE -> any(code, in -> in.is(NEW) && isOurThrowable(in.owner()));
      case NO_THROW -> count(code, ATHROW) > compilersThrows(code);
    };
  }

  private static boolean makesText(Instruction in) {
    return in.owner().startsWith("java/lang/StringBu")
        || in.owner().equals("java/util/Formatter")
        || (in.owner().equals("java/lang/String") && in.name().startsWith("format"));
  }

  private static boolean boxes(Instruction in) {
    return in.is(INVOKESTATIC)
        && in.name().equals("valueOf")
        && BOXED.matcher("L" + in.owner() + ";").find();
  }

  private static boolean any(MethodCode code, Predicate<Instruction> wanted) {
    return code.instructions().stream().anyMatch(wanted);
  }

  private static boolean names(Pattern types, MethodCode code) {
    return types.matcher(code.descriptor()).find()
        || any(code, in -> types.matcher(in.owner() + " " + in.descriptor()).find());
  }

  private static long count(MethodCode code, int opcode) {
    return code.instructions().stream().filter(in -> in.is(opcode)).count();
  }

  /** A switch that names every constant of an enum ends with a throw of the compiler's own. */
  private static long compilersThrows(MethodCode code) {
    return code.instructions().stream()
        .filter(in -> in.is(NEW) && isCompilersThrowable(in.owner()))
        .count();
  }

  private static boolean isCompilersThrowable(String type) {
    return type.equals("java/lang/IncompatibleClassChangeError")
        || type.equals("java/lang/MatchException");
  }

  private static boolean isOurThrowable(String type) {
    if (isCompilersThrowable(type)) {
      return false;
    }
    try {
      Class<?> named =
          Class.forName(type.replace('/', '.'), false, HotPathRule.class.getClassLoader());
      return Throwable.class.isAssignableFrom(named);
    } catch (ClassNotFoundException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
