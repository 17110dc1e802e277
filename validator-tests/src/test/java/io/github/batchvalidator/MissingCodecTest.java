// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.github.batchvalidator.format.BatchIterator;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.internal.rebuild.Encoders;
import io.github.batchvalidator.internal.rebuild.RebuildEngine;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import io.github.batchvalidator.testing.LegacyMessage;
import io.github.batchvalidator.verdict.MutableVerdict;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import net.jpountz.lz4.LZ4Factory;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xerial.snappy.Snappy;

/** The core with only some of the codec libraries, in a class loader that sees nothing else. */
class MissingCodecTest {
  private static final Set<Codec> WITH_LIBRARY = Set.of(Codec.SNAPPY, Codec.LZ4, Codec.ZSTD);

  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"SNAPPY", "LZ4", "ZSTD"})
  void onlyTheCodecWithoutItsLibraryIsRefused(Codec missing) throws Exception {
    try (Host host = new Host(missing)) {
      for (Codec codec : Codec.values()) {
        assertAnswer(host, codec, codec != missing);
      }
    }
  }

  @Test
  void withoutAnyLibraryPlainAndGzipWork() throws Exception {
    try (Host host = new Host(Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)) {
      for (Codec codec : Codec.values()) {
        assertAnswer(host, codec, !WITH_LIBRARY.contains(codec));
      }
    }
  }

  /** Messages of magic 0 and 1 are inspected by a class of their own. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"SNAPPY", "LZ4"})
  void messagesHeldByTheCodecAreRefused(Codec missing) throws Exception {
    try (Host host = new Host(missing)) {
      for (int magic = 0; magic <= 1; magic++) {
        for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4)) {
          String reason = codec == missing ? Reason.CODEC_UNAVAILABLE.name() : null;
          assertEquals(reason, host.inspect(messages(magic, codec)), codec::name);
        }
      }
    }
  }

  /** A rebuild needs the libraries of its source codec and of its target codec. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"SNAPPY", "LZ4", "ZSTD"})
  void nothingIsRebuiltFromOrToTheCodec(Codec missing) throws Exception {
    try (Host host = new Host(missing)) {
      assertUnavailable(host, missing, batch(Codec.GZIP), missing);
    }
    try (Host host = new Host(missing)) {
      assertUnavailable(host, missing, batch(missing), Codec.GZIP);
      if (missing != Codec.ZSTD) {
        assertUnavailable(host, missing, messages(1, missing), Codec.GZIP);
      }
      assertNull(host.rebuild(batch(Codec.GZIP), Codec.NONE));
      assertNull(host.rebuild(messages(1, Codec.GZIP), Codec.NONE));
    }
  }

  /** Told that nothing is compressed Kafka reads all records before it looks at a header. */
  @ParameterizedTest
  @EnumSource(
      value = Codec.class,
      names = {"SNAPPY", "LZ4"})
  void batchesThatAreReadAheadAreRefused(Codec missing) throws Exception {
    try (Host host = new Host(missing)) {
      ByteBuffer source = Batches.fixCrc(HeaderField.LAST_OFFSET_DELTA.set(batch(missing), -1));
      host.sayPlain();
      assertUnavailable(host, missing, source, Codec.NONE);
      assertEquals(Reason.BATCH_OFFSET_RANGE_INVALID.name(), host.rebuild(source, Codec.NONE));
      host.sayPlain();
      assertUnavailable(host, missing, messages(0, missing), Codec.NONE);
    }
  }

  private static void assertUnavailable(Host host, Codec missing, ByteBuffer from, Codec to)
      throws Exception {
    assertEquals(Reason.CODEC_UNAVAILABLE.name(), host.rebuild(from, to));
    assertEquals((long) missing.id(), host.firstOperand());
    assertInstanceOf(LinkageError.class, host.unavailableCause(host.rebuilder, missing));
    assertNull(host.unavailableCause(host.rebuilder, Codec.GZIP));
  }

  private static ByteBuffer batch(Codec codec) {
    return Batches.of(codec, new SimpleRecord(Batches.nowMs(), new byte[100]));
  }

  private static ByteBuffer messages(int magic, Codec codec) {
    return LegacyMessage.holding(magic, codec, LegacyMessage.several(magic, 2)).toBuffer();
  }

  /** Asked twice: what does not load once is not tried again for every batch. */
  private static void assertAnswer(Host host, Codec codec, boolean available) throws Exception {
    String reason = available ? null : Reason.CODEC_UNAVAILABLE.name();
    assertEquals(reason, host.inspect(batch(codec)), codec::name);
    assertEquals(reason, host.inspect(batch(codec)), codec::name);
    assertEquals(available, host.encoder(codec) != null, codec::name);
    assertEquals(available, host.encoder(codec) != null, codec::name);
    for (Object of : List.of(host.validator, host.encoders)) {
      if (available) {
        assertNull(host.unavailableCause(of, codec));
      } else {
        assertInstanceOf(LinkageError.class, host.unavailableCause(of, codec));
      }
    }
  }

  /** A validator of another class loader, reached by reflection. */
  private static final class Host implements AutoCloseable {
    private final URLClassLoader loader;
    private final Class<?> verdictClass;
    private final AutoCloseable validator;
    private final Object verdict;
    private final AutoCloseable encoders;
    private final AutoCloseable rebuilder;
    private boolean saysPlain;

    Host(Codec... missing) throws ReflectiveOperationException {
      loader = new URLClassLoader(classPath(missing), ClassLoader.getPlatformClassLoader());
      verdictClass = loader.loadClass(Verdict.class.getName());
      assertNotSame(Verdict.class, verdictClass);
      validator = (AutoCloseable) newInstance(BatchValidator.class.getName());
      verdict = newInstance(MutableVerdict.class.getName());
      encoders = (AutoCloseable) newInstance(Encoders.class.getName());
      Class<?> decoders = loader.loadClass(Decoders.class.getName());
      Object fastest =
          loader.loadClass(WindowDecoders.class.getName()).getMethod("fastest").invoke(null);
      rebuilder =
          (AutoCloseable)
              loader
                  .loadClass(RebuildEngine.class.getName())
                  .getConstructor(decoders)
                  .newInstance(fastest);
    }

    private Object newInstance(String name) throws ReflectiveOperationException {
      return loader.loadClass(name).getConstructor().newInstance();
    }

    private static URL[] classPath(Codec... missing) {
      List<URL> urls = new ArrayList<>();
      urls.add(locationOf(BatchValidator.class));
      for (Codec codec : WITH_LIBRARY) {
        if (!List.of(missing).contains(codec)) {
          urls.add(locationOf(library(codec)));
        }
      }
      return urls.toArray(new URL[0]);
    }

    private static Class<?> library(Codec codec) {
      return switch (codec) {
        case SNAPPY -> Snappy.class;
        case LZ4 -> LZ4Factory.class;
        case ZSTD -> ZstdDecompressCtx.class;
        default -> throw new IllegalArgumentException("no library: " + codec);
      };
    }

    private static URL locationOf(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    /** Returns the name of the reason, or null if the batch is accepted. */
    @Nullable String inspect(ByteBuffer batch) throws ReflectiveOperationException {
      Class<?> policyClass = loader.loadClass(Policy.class.getName());
      Object policy = policyClass.getField("STORED").get(null);
      Method inspect =
          validator
              .getClass()
              .getMethod("inspect", ByteBuffer.class, policyClass, long.class, verdictClass);
      return answer(inspect.invoke(validator, batch, policy, Batches.nowMs(), verdict));
    }

    /** As {@link #inspect}, for a batch that is rebuilt. */
    @Nullable String rebuild(ByteBuffer source, Codec codec) throws ReflectiveOperationException {
      Class<?> policyClass = loader.loadClass(Policy.class.getName());
      Class<?> targetClass = loader.loadClass(Target.class.getName());
      Object target =
          targetClass.getMethod("of", theirs(codec).getClass()).invoke(null, theirs(codec));
      Object builder =
          policyClass.getMethod("toBuilder").invoke(policyClass.getField("STORED").get(null));
      builder.getClass().getMethod("target", targetClass).invoke(builder, target);
      Object policy = builder.getClass().getMethod("build").invoke(builder);
      Class<?> framedClass = loader.loadClass(BatchIterator.class.getName());
      Object batches =
          framedClass
              .getMethod("wrap", ByteBuffer.class, int.class, int.class)
              .invoke(
                  newInstance(BatchIterator.class.getName()),
                  source,
                  source.position(),
                  source.limit());
      Object framed = framedClass.getMethod("frame").invoke(batches);
      Class<?> codecClass = theirs(codec).getClass();
      Object sourceCodec = saysPlain ? theirs(Codec.NONE) : null;
      saysPlain = false;
      Method rebuild =
          rebuilder
              .getClass()
              .getMethod(
                  "rebuild",
                  framedClass,
                  policyClass,
                  codecClass,
                  long.class,
                  long.class,
                  verdictClass);
      return answer(
          rebuild.invoke(rebuilder, framed, policy, sourceCodec, 0L, Batches.nowMs(), verdict));
    }

    private @Nullable String answer(Object accepted) throws ReflectiveOperationException {
      Object reason = verdictClass.getMethod("reason").invoke(verdict);
      assertEquals(accepted, reason == null);
      return reason == null ? null : reason.toString();
    }

    Object firstOperand() throws ReflectiveOperationException {
      return verdictClass.getMethod("firstOperand").invoke(verdict);
    }

    /** Passes {@link Codec#NONE} as the source codec of the next rebuild. */
    void sayPlain() {
      saysPlain = true;
    }

    @Nullable Object encoder(Codec codec) throws ReflectiveOperationException {
      return askAbout(codec, encoders, "get");
    }

    @Nullable Object unavailableCause(Object of, Codec codec) throws ReflectiveOperationException {
      return askAbout(codec, of, "unavailableCause");
    }

    private @Nullable Object askAbout(Codec codec, Object of, String question)
        throws ReflectiveOperationException {
      Object theirs = theirs(codec);
      return of.getClass().getMethod(question, theirs.getClass()).invoke(of, theirs);
    }

    private Object theirs(Codec codec) throws ReflectiveOperationException {
      Class<?> codecClass = loader.loadClass(Codec.class.getName());
      return Objects.requireNonNull(
          codecClass.getMethod("byId", int.class).invoke(null, codec.id()));
    }

    @Override
    public void close() throws IOException {
      try {
        validator.close();
        encoders.close();
        rebuilder.close();
      } catch (Exception e) {
        throw new IOException(e);
      } finally {
        loader.close();
      }
    }
  }
}
