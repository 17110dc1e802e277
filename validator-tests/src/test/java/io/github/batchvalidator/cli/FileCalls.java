// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A loader of the program that counts what a repair calls to change files. From a call on, all
 * fail: as if the process were killed before that call, or the disk were full.
 */
public final class FileCalls extends ClassLoader {
  private static final int API = Opcodes.ASM9;
  private static final String OURS = "io.github.batchvalidator.";
  private static final String NAME = FileCalls.class.getName();
  private static final String AUDIT = OURS + "audit.";
  private static final List<String> WATCHED = List.of(AUDIT + "repair.", AUDIT + "source.New");
  private static final Set<String> OWNERS =
      Set.of("java/nio/file/Files", "java/nio/channels/FileChannel");
  private static final Set<String> NEED_SPACE =
      Set.of("open", "write", "force", "createDirectory", "createDirectories", "move");

  /** How calls fail. */
  enum Failure {
    KILLED,
    DISK_FULL
  }

  private static Failure failure = Failure.KILLED;
  private static int failsFrom;
  private static int calls;

  FileCalls() {
    super(FileCalls.class.getClassLoader());
  }

  /** Ends a process, as far as a test sees it. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Lets calls fail from one on. The first one is 0. */
  static void failFrom(int call, Failure how) {
    failsFrom = call;
    failure = how;
    calls = 0;
  }

  /** Returns the number of calls since the last time that a failure was set. */
  static int calls() {
    return calls;
  }

  /** Called before each call. */
  public static void reach(String name) throws IOException {
    boolean fails = calls++ >= failsFrom;
    if (fails && failure == Failure.KILLED) {
      throw new Killed();
    }
    if (fails && NEED_SPACE.contains(name)) {
      throw new IOException("No space left on device");
    }
  }

  /** Runs the command in the classes of this loader. */
  Run run(Object... arguments) throws ReflectiveOperationException {
    String[] words = Run.words(arguments);
    Object run =
        loadClass(Run.class.getName()).getMethod("of", String[].class).invoke(null, (Object) words);
    return new Run((int) of(run, "exitCode"), (String) of(run, "out"), (String) of(run, "err"));
  }

  private static Object of(Object run, String name) throws ReflectiveOperationException {
    return run.getClass().getMethod(name).invoke(run);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolves) throws ClassNotFoundException {
    if (!name.startsWith(OURS) || name.startsWith(NAME)) {
      return super.loadClass(name, resolves);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(getResourceAsStream(file), file)) {
      byte[] bytes = in.readAllBytes();
      bytes = WATCHED.stream().anyMatch(name::startsWith) ? watched(bytes) : bytes;
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private static byte[] watched(byte[] original) {
    ClassReader reader = new ClassReader(original);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(
        new ClassVisitor(API, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            return watched(super.visitMethod(access, name, type, signature, exceptions));
          }
        },
        0);
    return writer.toByteArray();
  }

  private static MethodVisitor watched(MethodVisitor next) {
    return new MethodVisitor(API, next) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String called, String type, boolean isInterface) {
        if (OWNERS.contains(owner)) {
          super.visitLdcInsn(called);
          String points = NAME.replace('.', '/');
          super.visitMethodInsn(
              Opcodes.INVOKESTATIC, points, "reach", "(Ljava/lang/String;)V", false);
        }
        super.visitMethodInsn(opcode, owner, called, type, isInterface);
      }
    };
  }
}
