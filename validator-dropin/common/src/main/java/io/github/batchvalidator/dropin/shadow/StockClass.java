// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Set;

/**
 * A class loader for Kafka's own {@code LogValidator}, although ours comes first on the class path.
 * Loads this class and its nested types only. All other classes come from the parent.
 *
 * <p>The two public nested types come from the parent too, because they have the same members in
 * both classes. The broker can therefore use Kafka's result, and Kafka's class the broker's
 * metrics.
 */
final class StockClass extends ClassLoader {
  static final String NAME = "org.apache.kafka.storage.internals.log.LogValidator";

  private static final String FILE = file(NAME);
  private static final Set<String> SHARED =
      Set.of(NAME + "$MetricsRecorder", NAME + "$ValidationResult");

  /** A package name in the constant pool of our class of that name. */
  private static final String MARK_OF_OURS = "io/github/batchvalidator/";

  static {
    registerAsParallelCapable();
  }

  private final String root;

  private StockClass(ClassLoader parent, String root) {
    super(parent);
    this.root = root;
  }

  /**
   * {@return Kafka's class, initialized}
   *
   * @param parent a class loader that finds Kafka's class before or after ours
   * @throws ClassNotFoundException if there is only our class
   * @throws IOException if it cannot be read
   */
  static Class<?> load(ClassLoader parent) throws ClassNotFoundException, IOException {
    for (URL url : Collections.list(parent.getResources(FILE))) {
      if (!isOurs(read(url))) {
        String text = url.toString();
        String root = text.substring(0, text.length() - FILE.length());
        return Class.forName(NAME, true, new StockClass(parent, root));
      }
    }
    throw new ClassNotFoundException("no LogValidator of Kafka's on the class path");
  }

  private static boolean isOurs(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(MARK_OF_OURS);
  }

  /** {@return the location of Kafka's class: a jar or directory} */
  static String root(Class<?> stock) {
    return stock.getClassLoader() instanceof StockClass loader ? loader.root : "";
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (SHARED.contains(name) || !(name.equals(NAME) || name.startsWith(NAME + "$"))) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  /** Reads the class from the same jar as Kafka's class, even if other jars have it too. */
  private Class<?> define(String name) throws ClassNotFoundException {
    try {
      for (URL url : Collections.list(getParent().getResources(file(name)))) {
        if (url.toString().startsWith(root)) {
          byte[] bytes = read(url);
          return defineClass(name, bytes, 0, bytes.length);
        }
      }
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
    throw new ClassNotFoundException(name);
  }

  private static String file(String name) {
    return name.replace('.', '/') + ".class";
  }

  /** Reads without the URL cache, which would keep the jar open. */
  private static byte[] read(URL url) throws IOException {
    URLConnection connection = url.openConnection();
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      return in.readAllBytes();
    }
  }
}
