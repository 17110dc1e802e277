// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The calls of {@code LogValidator} and its nested classes in the class files of a broker. Reads
 * the constant pool of each class, and loads only the drop-in's own.
 */
final class ValidatorCalls {
  /** Where Kafka's callers are: {@code kafka} up to 4.0, the other package since. */
  private static final List<String> CALLERS = List.of("kafka/", "org/apache/kafka/storage/");

  private static final String CLASS_FILE = ".class";
  private static final String CONSTRUCTOR = "<init>";

  private ValidatorCalls() {}

  /**
   * Returns the calls that the drop-in cannot answer.
   *
   * @param classPath the class path of the broker
   * @param ours the drop-in jar, which is left out
   * @return class, method and descriptor of each
   */
  static SortedSet<String> missing(List<Path> classPath, Path ours) throws IOException {
    SortedSet<String> calls = new TreeSet<>();
    for (Path entry : classPath) {
      if (Files.isRegularFile(entry) && !Files.isSameFile(entry, ours)) {
        try (JarFile jar = new JarFile(entry.toFile())) {
          for (JarEntry file : Collections.list(jar.entries())) {
            if (isCaller(file.getName())) {
              addCalls(jar.getInputStream(file).readAllBytes(), calls);
            }
          }
        }
      }
    }
    calls.removeIf(ValidatorCalls::isAnswered);
    return calls;
  }

  private static boolean isCaller(String file) {
    return file.endsWith(CLASS_FILE)
        && CALLERS.stream().anyMatch(file::startsWith)
        && !isValidator(file.substring(0, file.length() - CLASS_FILE.length()));
  }

  private static boolean isValidator(String type) {
    return type.equals(KafkaCheck.LOG_VALIDATOR) || type.startsWith(KafkaCheck.LOG_VALIDATOR + "$");
  }

  /** Reads the constant pool (JVM specification, 4.4). */
  private static void addCalls(byte[] classFile, SortedSet<String> calls) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    in.skipNBytes(8); // magic and version
    int count = in.readUnsignedShort();
    int[] tags = new int[count];
    int[] values = new int[count];
    String[] texts = new String[count];
    for (int i = 1; i < count; i++) {
      tags[i] = in.readUnsignedByte();
      switch (tags[i]) {
        case 1 -> texts[i] = in.readUTF();
        case 7, 8, 16, 19, 20 -> values[i] = in.readUnsignedShort();
        case 15 -> in.skipNBytes(3);
        case 5, 6 -> {
          in.skipNBytes(8);
          i++; // takes two places
        }
        default -> values[i] = in.readInt();
      }
    }
    for (int i = 1; i < count; i++) {
      if (tags[i] == 10 || tags[i] == 11) { // a method of a class or of an interface
        String owner = texts[values[values[i] >>> 16]];
        if (isValidator(owner)) {
          int named = values[values[i] & 0xffff];
          calls.add(owner + " " + texts[named >>> 16] + texts[named & 0xffff]);
        }
      }
    }
  }

  /** {@return true if our classes have the method} */
  private static boolean isAnswered(String call) {
    String[] parts = call.split("[ (]", 3);
    String descriptor = "(" + parts[2];
    try {
      Class<?> type = Class.forName(parts[0].replace('/', '.'));
      if (parts[1].equals(CONSTRUCTOR)) {
        for (Constructor<?> each : type.getDeclaredConstructors()) {
          if (isVisible(each.getModifiers())
              && MethodType.methodType(void.class, each.getParameterTypes())
                  .toMethodDescriptorString()
                  .equals(descriptor)) {
            return true;
          }
        }
        return false;
      }
      return isMethod(type.getDeclaredMethods(), parts[1], descriptor)
          || isMethod(type.getMethods(), parts[1], descriptor);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static boolean isMethod(Method[] methods, String name, String descriptor) {
    for (Method each : methods) {
      if (each.getName().equals(name)
          && isVisible(each.getModifiers())
          && MethodType.methodType(each.getReturnType(), each.getParameterTypes())
              .toMethodDescriptorString()
              .equals(descriptor)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isVisible(int modifiers) {
    return !Modifier.isPrivate(modifiers);
  }
}
