// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings of a drop-in jar, right and wrong, read by its own class loader. */
class DropInJarIT {
  private static final String LEVEL = "batchvalidator.level";
  private static final String CONFIG = "batchvalidator.config";

  @ParameterizedTest
  @CsvSource({", true", "batchvalidator.offLock, false", "batchvalidator.shadow, false"})
  void theAgentsCallsInspectUnlessSwitchedOff(@Nullable String name, boolean inspected)
      throws Exception {
    String version = Lines.versions().get(0);
    if (name != null) {
      System.setProperty(name, String.valueOf(!name.equals("batchvalidator.offLock")));
    }
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      Class<?> dropIn = Class.forName(DropIn.class.getName(), true, loader);
      Object inspector = dropIn.getMethod("offLock").invoke(null);
      assertEquals(inspected, inspector.getClass().getMethod("isEnabled").invoke(inspector));
    } finally {
      System.clearProperty(String.valueOf(name));
    }
  }

  /** Not only the first one: of what fails in an initializer a broker logs that, and no more. */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void wrongSettingsFailEveryAppendWithTheSameSentence(String version) throws Exception {
    assertSame(DropIn.runtime(), DropIn.runtime(), "the class of this loader has read them");
    System.setProperty(LEVEL, "lenient");
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      Class.forName("org.apache.kafka.storage.internals.log.LogValidator", true, loader);
      Method runtime = loader.loadClass(DropIn.class.getName()).getMethod("runtime");
      for (int i = 0; i < 2; i++) {
        Throwable thrown =
            Objects.requireNonNull(
                assertThrows(InvocationTargetException.class, () -> runtime.invoke(null))
                    .getCause());
        assertEquals(NotEnoughReplicasException.class.getName(), thrown.getClass().getName());
        assertEquals(
            RetriableException.class.getName(),
            thrown.getClass().getSuperclass().getName(),
            "producers keep their records and retry");
        String message = String.valueOf(thrown.getMessage());
        assertTrue(
            message.contains("batchvalidator.level is lenient, legal is kafka or strict"), message);
      }
    } finally {
      System.clearProperty(LEVEL);
    }
  }

  /** As {@code UnifiedLog} has one, of which a broker creates an instance before it serves. */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void aClassThatImplementsMetricsRecorderCannotBeUsedWithWrongSettings(String version)
      throws Exception {
    String line = Lines.lineOf(version);
    System.setProperty(LEVEL, "lenient");
    try (URLClassLoader loader = Lines.withDropIn(line, version)) {
      ExceptionInInitializerError thrown =
          assertThrows(ExceptionInInitializerError.class, () -> metricsRecorder(loader));
      String message = String.valueOf(thrown.getCause());
      assertTrue(message.contains(ConfigException.class.getName()), message);
      assertTrue(
          message.contains("refuses its settings: batchvalidator.level is lenient, legal is"),
          message);
    } finally {
      System.clearProperty(LEVEL);
    }
    try (URLClassLoader loader = Lines.withDropIn(line, version)) {
      assertNotNull(metricsRecorder(loader));
    }
  }

  /** The file may be replaced between the start and the first append. */
  @Test
  void settingsAreReadOnceAtTheStart(@TempDir Path folder) throws Exception {
    String version = Lines.versions().get(0);
    Path file = folder.resolve("batchvalidator.properties");
    Files.writeString(file, "batchvalidator.level=strict\n");
    System.setProperty(CONFIG, file.toString());
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      metricsRecorder(loader);
      Files.writeString(file, "batchvalidator.level=lenient\n");
      Class<?> dropIn = Class.forName(DropIn.class.getName(), true, loader);
      assertNotNull(dropIn.getMethod("runtime").invoke(null));
    } finally {
      System.clearProperty(CONFIG);
    }
  }

  private static Object metricsRecorder(ClassLoader loader) throws ClassNotFoundException {
    Class<?> recorder =
        Class.forName(
            "org.apache.kafka.storage.internals.log.LogValidator$MetricsRecorder", false, loader);
    return Proxy.newProxyInstance(
        loader, new Class<?>[] {recorder}, (proxy, method, arguments) -> null);
  }
}
