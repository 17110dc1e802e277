// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import io.github.batchvalidator.dropin.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A folder of Kafka, and the variables and arguments of one preflight of it.
 *
 * <p>The jars are hard links, so the folder has to be in the file system of the build.
 */
final class Installation {
  private static final String VALIDATOR = "org/apache/kafka/storage/internals/log/LogValidator";
  private static final String LOG = "org/apache/kafka/storage/internals/log/UnifiedLog";

  private final Path folder;
  private final Path jar;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> arguments = new ArrayList<>();

  private Installation(Path folder, Path jar) {
    this.folder = folder;
    this.jar = jar;
  }

  /** The exit code and the output of a preflight. */
  record Answer(int exit, String text) {}

  /**
   * Returns an installation of some jars, with the drop-in jar of a line first on the class path.
   */
  static Installation of(Path folder, String line, List<Path> kafka) throws IOException {
    Path libs = Files.createDirectories(folder.resolve("kafka/libs"));
    for (Path each : kafka) {
      Files.createLink(libs.resolve(each.getFileName()), each);
    }
    return new Installation(folder, Lines.jar(line)).with("CLASSPATH", Lines.jar(line).toString());
  }

  Path jar() {
    return jar;
  }

  Path home() {
    return folder.resolve("kafka");
  }

  Path file(String name) {
    return folder.resolve(name);
  }

  Installation with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Installation given(String... values) {
    arguments.addAll(List.of(values));
    return this;
  }

  Installation write(String name, byte[] bytes) throws IOException {
    Files.createDirectories(file(name).getParent());
    Files.write(file(name), bytes);
    return this;
  }

  Installation write(String name, String text) throws IOException {
    return write(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a file to Kafka's jars. */
  Installation lib(Path file) throws IOException {
    Files.createLink(home().resolve("libs").resolve(file.getFileName()), file);
    return this;
  }

  Installation without(String library) throws IOException {
    Files.delete(lib(library));
    return this;
  }

  /** Replaces a jar of Kafka by a copy that is changed. */
  Installation changed(String library, Change change) throws IOException {
    Path link = lib(library);
    Path copy = Files.copy(link.toRealPath(), file("copy.jar"));
    try (FileSystem files = FileSystems.newFileSystem(copy)) {
      change.apply(files.getPath("/"));
    }
    Files.delete(link);
    Files.move(copy, link);
    return this;
  }

  /** A change of the files of a jar. */
  interface Change {
    void apply(Path root) throws IOException;
  }

  private Path lib(String prefix) throws IOException {
    try (Stream<Path> files = Files.list(home().resolve("libs"))) {
      return files
          .filter(file -> file.getFileName().toString().matches(prefix + "-\\d.*"))
          .findFirst()
          .orElseThrow();
    }
  }

  static void removeValidator(Path root) throws IOException {
    Files.delete(root.resolve(VALIDATOR + ".class"));
  }

  /** Sets {@code JAVA_HOME} to a folder whose {@code java} is a script. */
  Installation java(String version, String script) throws IOException {
    write("java/release", "JAVA_VERSION=\"" + version + "\"\n");
    write("java/bin/java", "#!/bin/sh\n" + script);
    file("java/bin/java").toFile().setExecutable(true);
    return with("JAVA_HOME", file("java").toString());
  }

  /** Writes a jar with a class that calls a constructor that no {@code LogValidator} has. */
  Path jarThatCalls() throws IOException {
    ClassWriter writer = type("kafka/log/Caller");
    MethodVisitor method =
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "call", "()V", null, null);
    method.visitCode();
    method.visitInsn(Opcodes.ACONST_NULL);
    method.visitMethodInsn(
        Opcodes.INVOKESPECIAL, VALIDATOR, "<init>", "(Ljava/lang/Object;)V", false);
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(1, 0);
    method.visitEnd();
    return jar("caller.jar", "kafka/log/Caller", writer);
  }

  /** Writes a jar with a {@code UnifiedLog} without methods. */
  Path jarOfAnotherLog() throws IOException {
    return jar("a-fork.jar", LOG, type(LOG));
  }

  private static ClassWriter type(String name) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    return writer;
  }

  private Path jar(String name, String type, ClassWriter writer) throws IOException {
    writer.visitEnd();
    Path file = file(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
      out.putNextEntry(new JarEntry(type + ".class"));
      out.write(writer.toByteArray());
    }
    return file;
  }

  Answer preflight() throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("--preflight", home().toString()));
    all.addAll(arguments);
    return run(all);
  }

  Answer run(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar", jar.toString()));
    command.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.matches("KAFKA_.*|JAVA_HOME|JMX_PORT"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }
}
