// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.HdrHistogram.Histogram;
import org.objectweb.asm.ClassWriter;

/** Makes a jar of the agent that measures, with the libraries that it needs on its class path. */
final class AgentJar {
  private AgentJar() {}

  static Path write(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(new Attributes.Name("Premain-Class"), LockHoldAgent.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH, location(ClassWriter.class) + " " + location(Histogram.class));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      add(out, LockHold.class.getName());
      add(out, LockHoldAgent.class.getName());
      for (String nested : new String[] {"Transformer", "Log", "Append"}) {
        add(out, LockHoldAgent.class.getName() + "$" + nested);
      }
    }
    return jar;
  }

  private static URL location(Class<?> ofLibrary) {
    return ofLibrary.getProtectionDomain().getCodeSource().getLocation();
  }

  private static void add(JarOutputStream out, String name) throws IOException {
    String file = name.replace('.', '/') + ".class";
    out.putNextEntry(new JarEntry(file));
    try (InputStream in = AgentJar.class.getClassLoader().getResourceAsStream(file)) {
      Objects.requireNonNull(in, file).transferTo(out);
    }
    out.closeEntry();
  }
}
