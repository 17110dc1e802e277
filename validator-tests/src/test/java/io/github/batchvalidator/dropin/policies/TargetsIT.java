// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.policies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.testing.Batches;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URLClassLoader;
import java.util.Locale;
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Finds the compression level that Kafka does not expose. */
class TargetsIT {
  private final Targets targets = new Targets();

  @ParameterizedTest
  @EnumSource(Codec.class)
  void findsTheDefaultLevel(Codec codec) {
    assertEquals(Target.of(codec), targets.get(Batches.compression(codec), codec, Target.PRODUCER));
  }

  /** Each line computes the hash of a level in its own way, so each line is tested. */
  @ParameterizedTest
  @MethodSource("io.github.batchvalidator.dropin.Lines#versions")
  void findsEveryLevelOfEveryLine(String version) throws Exception {
    try (URLClassLoader loader = Lines.withDropIn(Lines.lineOf(version), version)) {
      LevelsOfALine line = new LevelsOfALine(loader);
      line.check(Codec.GZIP, 1, 9);
      line.check(Codec.GZIP, -1, -1);
      line.check(Codec.LZ4, 1, 17);
      line.check(Codec.ZSTD, -200, 22);
      line.check(Codec.ZSTD, -131_072, -131_000);
    }
  }

  @Test
  void remembersTheLastOne() {
    Target target = targets.get(Compression.zstd().level(7).build(), Codec.ZSTD, Target.PRODUCER);
    assertSame(
        target, targets.get(Compression.zstd().level(7).build(), Codec.ZSTD, Target.PRODUCER));
    assertEquals(Target.of(Codec.NONE), targets.get(Compression.NONE, Codec.NONE, Target.PRODUCER));
    assertEquals(
        target, targets.get(Compression.zstd().level(7).build(), Codec.ZSTD, Target.PRODUCER));
  }

  /** Kafka's classes of one line, and ours as they are in its jar. */
  private static final class LevelsOfALine {
    private final Class<?> compression;
    private final Class<?> codecs;
    private final Object targets;
    private final Method get;
    private final Method levelOf;

    private final Object producer;

    LevelsOfALine(ClassLoader loader) throws ReflectiveOperationException {
      compression = loader.loadClass(Compression.class.getName());
      codecs = loader.loadClass(Codec.class.getName());
      Class<?> ours = loader.loadClass(Targets.class.getName());
      Constructor<?> constructor = ours.getDeclaredConstructor();
      constructor.setAccessible(true);
      targets = constructor.newInstance();
      Class<?> form = loader.loadClass(Target.class.getName());
      producer = form.getField("PRODUCER").get(null);
      get = ours.getDeclaredMethod("get", compression, codecs, form);
      get.setAccessible(true);
      levelOf = form.getMethod("level");
    }

    void check(Codec codec, int least, int most) throws ReflectiveOperationException {
      for (int level = least; level <= most; level++) {
        assertEquals(
            level, levelOf.invoke(get.invoke(targets, build(codec, level), of(codec), producer)));
      }
    }

    private Object build(Codec codec, int level) throws ReflectiveOperationException {
      Object builder = compression.getMethod(codec.name().toLowerCase(Locale.ROOT)).invoke(null);
      builder.getClass().getMethod("level", int.class).invoke(builder, level);
      return builder.getClass().getMethod("build").invoke(builder);
    }

    private Object of(Codec codec) throws ReflectiveOperationException {
      return codecs.getMethod("byId", int.class).invoke(null, codec.id());
    }
  }
}
