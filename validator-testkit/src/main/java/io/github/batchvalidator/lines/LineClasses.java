// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Kafka's classes in some loader, wherever a line has put them; for any threads. */
public final class LineClasses implements AutoCloseable {
  private static final String KAFKA = "org.apache.kafka.";
  private static final List<String> PACKAGES =
      List.of(
          "common.",
          "common.record.",
          "common.record.internal.",
          "common.utils.",
          "common.utils.internals.",
          "common.compress.",
          "common.protocol.",
          "common.header.",
          "server.common.",
          "storage.internals.log.");

  private final ClassLoader loader;
  private final Map<String, Class<?>> found = new ConcurrentHashMap<>();
  private final Method readable;
  private final Method ofLong;
  private final Field counterValue;
  private final Class<?> recorder;
  private final Class<?> time;
  private final Object notCaching;

  /** As in a broker, where a supplier that keeps buffers belongs to a request thread. */
  private final ThreadLocal<Object> caching = ThreadLocal.withInitial(this::newSupplier);

  /** Takes those of a class path, in a loader of their own. */
  LineClasses(List<Path> jars) throws ReflectiveOperationException {
    this(
        new URLClassLoader(
            jars.stream().map(LineClasses::url).toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader()));
    loadNativeLz4();
  }

  /** Takes those that a loader finds, which is closed with this if it can be. */
  LineClasses(ClassLoader loader) throws ReflectiveOperationException {
    this.loader = loader;
    readable = find("MemoryRecords").getMethod("readableRecords", ByteBuffer.class);
    ofLong = find("PrimitiveRef").getMethod("ofLong", long.class);
    counterValue = find("PrimitiveRef$LongRef").getField("value");
    recorder = find("LogValidator$MetricsRecorder");
    time = find("Time");
    notCaching = find("BufferSupplier").getField("NO_CACHING").get(null);
  }

  /**
   * In a broker lz4-java decodes natively, since the application's loader has it. In any other
   * loader it does so only once it was told to, and decodes in Java until then: up to 1.10.0 that
   * leaves some of its output as it was (CVE-2025-66566), and there is no answer to compare with.
   */
  private void loadNativeLz4() throws ReflectiveOperationException {
    loader.loadClass("net.jpountz.util.Native").getMethod("load").invoke(null);
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the class of a name without its package. */
  public Class<?> find(String name) {
    return found.computeIfAbsent(name, this::search);
  }

  private Class<?> search(String name) {
    for (String candidate : PACKAGES) {
      Class<?> loaded = load(KAFKA + candidate + name);
      if (loaded != null) {
        return loaded;
      }
    }
    throw new IllegalStateException("no " + name + " in " + loader);
  }

  private @Nullable Class<?> load(String name) {
    try {
      return loader.loadClass(name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  public Class<?> validator() {
    return find("LogValidator");
  }

  /** Returns the constant of an enum. */
  public Object constant(String type, String name) {
    for (Object constant : find(type).getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IllegalStateException(type + " has no " + name);
  }

  Object readableRecords(ByteBuffer buffer) throws ReflectiveOperationException {
    return readable.invoke(null, buffer);
  }

  Object counter(long start) throws ReflectiveOperationException {
    return ofLong.invoke(null, start);
  }

  long value(Object counter) throws ReflectiveOperationException {
    return counterValue.getLong(counter);
  }

  Object supplier(boolean cached) {
    return cached ? caching.get() : notCaching;
  }

  private Object newSupplier() {
    try {
      return find("BufferSupplier").getMethod("create").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a recorder that adds the name of each callback to a list. */
  Object recorder(List<String> names) {
    return Proxy.newProxyInstance(
        loader,
        new Class<?>[] {recorder},
        (proxy, method, arguments) -> {
          names.add(method.getName());
          return null;
        });
  }

  /** Returns a clock that stands still. */
  Object stoppedTime(long nowMs) {
    return Proxy.newProxyInstance(
        loader,
        new Class<?>[] {time},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "milliseconds", "hiResClockMs" -> nowMs;
              case "nanoseconds" -> 0L;
              default -> throw new AssertionError(method + " of a clock that stands still");
            });
  }

  @Override
  public void close() {
    try {
      if (loader instanceof URLClassLoader own) {
        own.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
