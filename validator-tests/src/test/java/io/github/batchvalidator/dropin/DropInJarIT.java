// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings of a drop-in jar, right and wrong, read by its own class loader. */
class DropInJarIT {
  private static final String LEVEL = "batchvalidator.level";

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
        assertEquals(ConfigException.class.getName(), thrown.getClass().getName());
        String message = String.valueOf(thrown.getMessage());
        assertTrue(
            message.contains("batchvalidator.level is lenient, legal is kafka or strict"), message);
      }
    } finally {
      System.clearProperty(LEVEL);
    }
  }
}
