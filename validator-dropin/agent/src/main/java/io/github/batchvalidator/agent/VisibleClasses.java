// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The classes that a class loader can find, read from class files without loading them. */
public final class VisibleClasses {
  private final @Nullable ClassLoader loader;

  /**
   * Creates a view.
   *
   * @param loader the class loader, or null for the one of the system
   */
  public VisibleClasses(@Nullable ClassLoader loader) {
    this.loader = loader;
  }

  private @Nullable InputStream open(String className) {
    String file = className + ".class";
    return loader == null
        ? ClassLoader.getSystemResourceAsStream(file)
        : loader.getResourceAsStream(file);
  }

  /**
   * {@return true if the class exists}
   *
   * @param className the name with slashes
   */
  public boolean has(String className) {
    try (InputStream in = open(className)) {
      return in != null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * {@return the class file of a class that exists}
   *
   * @param className the name with slashes
   * @throws IOException if it cannot be read
   */
  public byte[] bytes(String className) throws IOException {
    try (InputStream in = open(className)) {
      return Objects.requireNonNull(in, className).readAllBytes();
    }
  }

  /** {@return true if the class exists and has the public method} */
  boolean has(String className, String method, String descriptor, boolean isStatic) {
    try (InputStream in = open(className)) {
      if (in == null) {
        return false;
      }
      Search search = new Search(method, descriptor, isStatic);
      new ClassReader(in).accept(search, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
      return search.found;
    } catch (IOException e) {
      return false;
    }
  }

  private static final class Search extends ClassVisitor {
    private final String method;
    private final String wanted;
    private final boolean isStatic;
    private boolean found;

    Search(String method, String wanted, boolean isStatic) {
      super(Opcodes.ASM9);
      this.method = method;
      this.wanted = wanted;
      this.isStatic = isStatic;
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      found |=
          name.equals(method)
              && descriptor.equals(wanted)
              && (access & Opcodes.ACC_PUBLIC) != 0
              && ((access & Opcodes.ACC_STATIC) != 0) == isStatic;
      return null;
    }
  }
}
