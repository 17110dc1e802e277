// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Limits;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What all appends of a broker share, with right settings and with wrong ones. */
class DropInTest {
  @Test
  void sharesPoliciesOfItsSettingsAndWorkers() {
    assertSame(DropIn.policies(), DropIn.policies());
    assertEquals(
        Limits.UNBOUNDED_AS_KAFKA,
        DropIn.policies()
            .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2)
            .limits());
    Worker worker = DropIn.workers().acquire();
    DropIn.workers().release(worker);
    assertSame(worker, DropIn.workers().acquire());
    DropIn.workers().release(worker);
  }

  /** A class that cannot be initialized would refuse all appends from then on. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aLogThatFailsDoesNotKeepLogValidatorFromBeingLoaded(Class<? extends Throwable> kind) {
    FailingLog log = new FailingLog(kind);
    assertDoesNotThrow(() -> DropIn.announce("4.3", log.logger()));
    assertEquals(List.of("info"), log.called());
  }

  @ParameterizedTest
  @CsvSource({", true", "batchvalidator.offLock, false", "batchvalidator.shadow, false"})
  void whatTheAgentHandsOverIsInspectedUnlessSwitchedOff(@Nullable String name, boolean inspected)
      throws Exception {
    String version = Lines.versions().get(0);
    if (name != null) {
      System.setProperty(name, String.valueOf(!name.equals(Settings.OFF_LOCK)));
    }
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      Method asked =
          Class.forName(DropIn.class.getName(), true, loader).getDeclaredMethod("inspectsOffLock");
      asked.setAccessible(true);
      assertEquals(inspected, asked.invoke(null));
    } finally {
      System.clearProperty(String.valueOf(name));
    }
  }

  /** Not only the first one: of what fails in an initializer a broker logs that, and no more. */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void wrongSettingsFailEveryAppendWithTheSameSentence(String version) throws Exception {
    assertSame(DropIn.policies(), DropIn.policies(), "the class of this loader has read them");
    System.setProperty(Settings.LEVEL, "lenient");
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      Class.forName("org.apache.kafka.storage.internals.log.LogValidator", true, loader);
      Method policies = loader.loadClass(DropIn.class.getName()).getMethod("policies");
      for (int i = 0; i < 2; i++) {
        Throwable thrown =
            Objects.requireNonNull(
                assertThrows(InvocationTargetException.class, () -> policies.invoke(null))
                    .getCause());
        assertEquals(ConfigException.class.getName(), thrown.getClass().getName());
        String said = String.valueOf(thrown.getMessage());
        assertTrue(
            said.contains("batchvalidator.level is lenient, legal is kafka or strict"), said);
      }
    } finally {
      System.clearProperty(Settings.LEVEL);
    }
  }
}
