// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.internal.codec.kafka.KafkaDecoders;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.IndependentCodec;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every decoder does, whatever its codec. A subclass names the codec and an independent
 * encoder.
 */
abstract class DecoderContract {
  /** The windows that all have to give the same bytes. */
  enum Window {
    ONE(1),
    SEVEN(7),
    LOW_MEMORY(SkipBuffer.FIXED_BYTES),
    LIKE_KAFKA(SkipBuffer.FIXED_BYTES),
    FASTEST(Integer.MAX_VALUE);

    final int bytes;

    Window(int bytes) {
      this.bytes = bytes;
    }

    /** Returns false for so many plain bytes that a small window would take long. */
    boolean reads(int size) {
      return bytes >= SkipBuffer.FIXED_BYTES || size <= SMALL_WINDOWS_UP_TO;
    }

    Decoders decoders(GzipInflater gzip) {
      return this == LIKE_KAFKA ? new KafkaDecoders() : WindowDecoders.withWindow(bytes, gzip);
    }
  }

  private static final int[] BORDERS = {2048, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10};
  private static final int SMALL_WINDOWS_UP_TO = (64 << 10) + 1;
  private static final int MARKER_BYTES = 200_000;

  private static final Map<List<Object>, byte[]> STORED = new ConcurrentHashMap<>();

  private static final List<Plain> KINDS = List.of(Plain.values());
  private static final List<Placement.Kind> BUFFERS = List.of(Placement.Kind.values());

  private final Payload payload = new Payload();
  private final Decoders fastest = WindowDecoders.fastest(gzip());
  private final Decoders lowMemory = Window.LOW_MEMORY.decoders(gzip());
  private final Decoders oneByte = Window.ONE.decoders(gzip());

  abstract Codec codec();

  /** Returns what inflates gzip. */
  GzipInflater gzip() {
    return GzipInflater.JDK;
  }

  /** Compresses with an encoder that shares no code with the decoder. */
  abstract byte[] encode(byte[] plain) throws IOException;

  /** Returns the most bytes that the fastest decoder exposes at a time of a large payload. */
  abstract int largestStretch();

  /** Returns streams of some hundred bytes, to be cut and damaged at every position. */
  abstract List<byte[]> smallStreams() throws IOException;

  /** Tells whether a cut or damaged stream is one of the documented differences from Kafka. */
  boolean isKnownDifference(byte[] stored) {
    return false;
  }

  @AfterEach
  void close() {
    fastest.close();
    lowMemory.close();
    oneByte.close();
  }

  final PayloadDecoder decoder(Decoders decoders) {
    return decoder(decoders, codec());
  }

  static PayloadDecoder decoder(Decoders decoders, Codec codec) {
    PayloadDecoder decoder = decoders.get(codec);
    if (decoder == null) {
      throw new AssertionError(codec.name(), decoders.unavailableCause(codec));
    }
    return decoder;
  }

  /** Returns a stream that several tests read. To compress takes longer than to read. */
  private byte[] stored(Plain kind, int size) {
    return STORED.computeIfAbsent(
        List.of(codec(), kind, size), unused -> compress(kind.bytes(size)));
  }

  final byte[] compress(byte[] plain) {
    return Batches.compress(codec(), plain);
  }

  private Outcome run(Decoders decoders, Placement placement) {
    Outcome outcome =
        Outcome.of(decoder(decoders), placement.wrap(payload), Limits.UNBOUNDED_AS_KAFKA);
    decoder(decoders).release();
    return outcome;
  }

  private static void assertPlain(byte[] plain, Outcome outcome, Supplier<String> what) {
    assertNull(outcome.fault(), what);
    assertArrayEquals(plain, outcome.plain(), what);
  }

  private static int[] sizes() {
    int[] sizes = new int[4 + 3 * BORDERS.length];
    int count = 0;
    for (int border : BORDERS) {
      for (int size = border - 1; size <= border + 1; size++) {
        sizes[count++] = size;
      }
    }
    for (int size : new int[] {0, 1, 2, 1 << 20}) {
      sizes[count++] = size;
    }
    return sizes;
  }

  @ParameterizedTest
  @EnumSource
  void givesThePlainBytesBack(Window window) {
    try (Decoders decoders = window.decoders(gzip())) {
      for (int size : sizes()) {
        for (Plain kind : Plain.values()) {
          if (window.reads(size)) {
            byte[] plain = kind.bytes(size);
            Outcome outcome = Outcome.of(decoder(decoders), stored(kind, size));
            assertPlain(plain, outcome, () -> size + " bytes of " + kind);
          }
        }
      }
    }
  }

  @Test
  void readsWhatAnIndependentEncoderWrote() throws IOException {
    for (int size : sizes()) {
      for (Plain kind : Plain.values()) {
        byte[] plain = kind.bytes(size);
        byte[] stored = encode(plain);
        assertPlain(plain, Outcome.of(decoder(fastest), stored), () -> size + " of " + kind);
        assertPlain(plain, Outcome.of(decoder(lowMemory), stored), () -> size + " of " + kind);
      }
    }
  }

  @Test
  void anIndependentDecoderReadsTheSame() throws IOException {
    assumeTrue(IndependentCodec.decodes(codec()));
    for (int size : sizes()) {
      for (Plain kind : Plain.values()) {
        byte[] stored = stored(kind, size);
        byte[] independent = IndependentCodec.decode(codec(), stored);
        Outcome outcome = Outcome.of(decoder(fastest), stored);
        assertPlain(independent, outcome, () -> size + " of " + kind);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesAnyBufferAndLeavesItAlone(Placement.Kind kind) {
    for (Window window : Window.values()) {
      try (Decoders decoders = window.decoders(gzip())) {
        for (int size : new int[] {0, 1, 2049, 70_000}) {
          byte[] plain = Plain.JSON.bytes(size);
          Placement placement = Placement.of(kind, compress(plain));
          assertPlain(plain, run(decoders, placement), () -> size + " bytes, window " + window);
          placement.assertUntouched();
        }
      }
    }
  }

  @Test
  void oneDecoderServesGoodAndBadPayloadsInAnyOrder() {
    Random random = new Random(42);
    int[] sizes = sizes();
    for (int round = 0; round < 300; round++) {
      Plain content = KINDS.get(random.nextInt(KINDS.size()));
      int size = sizes[random.nextInt(sizes.length)];
      byte[] plain = content.bytes(size);
      byte[] stored = stored(content, size);
      Placement.Kind kind = BUFFERS.get(random.nextInt(BUFFERS.size()));
      if (random.nextBoolean() && stored.length > 0) {
        byte[] bad = Bytes.damaged(stored, random.nextInt(stored.length));
        run(fastest, Placement.of(kind, bad, random.nextInt(bad.length)));
        run(lowMemory, Placement.of(kind, bad, random.nextInt(bad.length)));
      }
      String what = "round " + round;
      assertPlain(plain, run(fastest, Placement.of(kind, stored)), () -> what);
      assertPlain(plain, run(lowMemory, Placement.of(kind, stored)), () -> what);
    }
  }

  @Test
  void cutAtEveryPositionItDoesWhatKafkaDoes() throws IOException {
    for (byte[] stored : smallStreams()) {
      for (int length = 0; length <= stored.length; length++) {
        byte[] cut = Bytes.cut(stored, length);
        Placement heap = Placement.of(Placement.Kind.HEAP, stored, length);
        Placement direct = Placement.of(Placement.Kind.DIRECT, stored, length);
        assertAsKafka(cut, run(fastest, heap), run(lowMemory, direct));
        heap.assertUntouched();
        direct.assertUntouched();
      }
    }
  }

  @Test
  void withAnyBitFlippedItDoesWhatKafkaDoes() throws IOException {
    for (byte[] stored : smallStreams()) {
      for (int bit = 0; bit < stored.length * Byte.SIZE; bit++) {
        byte[] bad = flipped(stored, bit);
        Outcome windowed = Outcome.of(decoder(oneByte), bad);
        assertAsKafka(bad, run(fastest, Placement.of(Placement.Kind.HEAP, bad)), windowed);
      }
    }
  }

  private static byte[] flipped(byte[] stored, int bit) {
    int at = bit / Byte.SIZE;
    return Bytes.with(stored, at, stored[at] ^ (1 << (bit % Byte.SIZE)));
  }

  private void assertAsKafka(byte[] stored, Outcome outcome, Outcome windowed) {
    Outcome kafka = Outcome.ofKafka(codec(), stored);
    Supplier<String> what =
        () -> "ours " + outcome + ", windowed " + windowed + ", Kafka " + kafka + hex(stored);
    assertEquals(outcome.reason(), windowed.reason(), what);
    assertTrue(outcome.agreesWith(windowed), what);
    assertTrue(0 <= outcome.inputPosition() && outcome.inputPosition() <= stored.length, what);
    assertTrue(0 <= windowed.inputPosition() && windowed.inputPosition() <= stored.length, what);
    assertTrue(isKnownDifference(stored) || outcome.agreesWith(kafka), what);
  }

  private static String hex(byte[] stored) {
    StringBuilder text = new StringBuilder(" <-");
    for (byte value : stored) {
      text.append(String.format(" %02x", value));
    }
    return text.toString();
  }

  /** Two decoders that held different bytes before cannot agree on what is left over. */
  @Test
  void neverReportsBytesOfAnEarlierPayload() throws IOException {
    byte[] markersA = compress(Bytes.filled(MARKER_BYTES, 0xA5));
    byte[] markersB = compress(Bytes.filled(MARKER_BYTES, 0x5A));
    try (Decoders other = WindowDecoders.fastest(gzip())) {
      for (byte[] stored : smallStreams()) {
        for (int bit = 0; bit < stored.length * Byte.SIZE; bit += 3) {
          byte[] bad = flipped(stored, bit);
          Outcome.of(decoder(fastest), markersA);
          Outcome.of(decoder(other), markersB);
          Outcome outcome = Outcome.of(decoder(fastest), bad);
          Outcome second = Outcome.of(decoder(other), bad);
          assertTrue(outcome.equalTo(second), () -> outcome + " and " + second + hex(bad));
        }
      }
    }
  }

  @Test
  void stopsAtTheLimitOfPlainBytes() {
    int size = 1 << 20;
    byte[] stored = compress(new byte[size]);
    assertStops(fastest, stored, largestStretch());
    assertStops(lowMemory, stored, SkipBuffer.FIXED_BYTES);
    assertStops(oneByte, stored, 1);
    Limits enough = Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, size);
    Placement placement = Placement.of(Placement.Kind.HEAP, stored);
    assertTrue(Outcome.of(decoder(fastest), placement.wrap(payload), enough).isClean());
    Limits scarce = enough.with(Limit.PLAIN_BYTES, size - 1);
    Outcome outcome = Outcome.of(decoder(fastest), placement.wrap(payload), scarce);
    assertEquals(Reason.LIMIT_PLAIN_BYTES, outcome.reason());
  }

  /** Checks the size of each stretch without a limit: bytes beyond a limit are decoded, too. */
  private void assertSuppliesAtMost(int stretch, Decoders decoders, Placement placement) {
    ByteWindow window = new ByteWindow();
    decoder(decoders).open(placement.wrap(payload), Limits.UNBOUNDED_AS_KAFKA, window);
    while (window.refill()) {
      int bytes = window.available();
      assertTrue(bytes <= stretch, () -> "supplied " + bytes);
      window.position(window.limit());
    }
    assertNull(window.failure());
  }

  private void assertStops(Decoders decoders, byte[] stored, int stretch) {
    int limit = 100_000;
    ByteWindow window = new ByteWindow();
    Placement placement = Placement.of(Placement.Kind.DIRECT, stored);
    Limits limits = Limits.UNBOUNDED_AS_KAFKA.with(Limit.PLAIN_BYTES, limit);
    decoder(decoders).open(placement.wrap(payload), limits, window);
    Outcome outcome = Outcome.drain(window);
    assertEquals(Reason.LIMIT_PLAIN_BYTES, outcome.reason());
    assertEquals(limit, outcome.plain().length);
    assertEquals(limit, window.fault().second());
    assertEquals(limit + 1, window.fault().first());
    assertSuppliesAtMost(stretch, decoders, placement);
  }

  @Test
  void letsGoOfTheBufferWhenReleased() throws InterruptedException {
    byte[] stored = compress(Plain.RANDOM.bytes(5000));
    WeakReference<Object> whole = decodeAndRelease(stored, stored.length);
    WeakReference<Object> cut = decodeAndRelease(stored, stored.length / 2);
    for (int i = 0; i < 100 && (whole.get() != null || cut.get() != null); i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertNull(whole.get(), "the array of a payload that was fine");
    assertNull(cut.get(), "the array of a payload that was cut");
  }

  private WeakReference<Object> decodeAndRelease(byte[] stored, int length) {
    byte[] own = stored.clone();
    ByteWindow window = new ByteWindow();
    decoder(fastest)
        .open(payload.wrap(ByteBuffer.wrap(own), 0, length), Limits.UNBOUNDED_AS_KAFKA, window);
    assertTrue(window.refill() || window.failure() != null);
    decoder(fastest).release();
    payload.clear();
    return new WeakReference<>(own);
  }

  @Test
  void statesTheHeapItHoldsAndDropsWhatOneGiantPayloadNeeded() {
    byte[] small = compress(Plain.JSON.bytes(100));
    Outcome.of(decoder(lowMemory), small);
    assertTrue(decoder(lowMemory).heapBytes() < 256 << 10);
    PayloadDecoder decoder = decoder(fastest);
    Placement giant = Placement.of(Placement.Kind.DIRECT, compress(Plain.RANDOM.bytes(1 << 20)));
    assertTrue(run(fastest, giant).isClean());
    for (int i = 0; i < Scratch.PATIENCE; i++) {
      assertTrue(Outcome.of(decoder, small).isClean());
    }
    assertTrue(decoder.heapBytes() <= 512 << 10, () -> "holds " + decoder.heapBytes());
    assertTrue(decoder.nativeBytes() <= 9 << 20, () -> "holds " + decoder.nativeBytes());
  }
}
