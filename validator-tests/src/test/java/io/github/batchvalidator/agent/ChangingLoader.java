// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Loads a class path as a JVM with the agent does. The bytes of one class are given instead. */
final class ChangingLoader extends URLClassLoader {
  private ChangingLoader(URL[] path) {
    super(path, ClassLoader.getPlatformClassLoader());
  }

  static ChangingLoader of(List<Path> path) throws MalformedURLException {
    URL[] urls = new URL[path.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = path.get(i).toUri().toURL();
    }
    return new ChangingLoader(urls);
  }

  /** Returns the class file of a name with slashes, as the class path has it. */
  byte[] bytes(String name) throws IOException {
    try (InputStream in = getResourceAsStream(name + ".class")) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  boolean has(String name) {
    return getResource(name + ".class") != null;
  }

  Class<?> define(String name, byte[] bytes) {
    return defineClass(name.replace('/', '.'), bytes, 0, bytes.length);
  }
}
