// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.rebuild;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.AllocationMeter;
import io.github.batchvalidator.internal.codec.Decoders;
import io.github.batchvalidator.internal.codec.Outcome;
import io.github.batchvalidator.internal.payload.WindowDecoders;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.IndependentCodec;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every encoder does, whatever its codec. A subclass names the codec. */
abstract class EncoderContract {
  private static final int LARGEST = 300_000;
  private static final int ENOUGH = 1 << 21;
  private static final int[] BORDERS = {16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10};
  private static final int WHOLE_BLOCKS = 64 << 10;
  private static final int HEADER_BYTES = 61;
  private static final byte GUARD = 0x5C;
  private static final int FRONT_BYTES = 7;
  private static final int BEHIND_BYTES = 9;

  private final Encoders encoders = new Encoders();
  private final Decoders decoders = WindowDecoders.fastest();
  private final OutputBuffer output = new OutputBuffer();

  /** The bytes to write, and the size of the pieces. */
  record Input(Plain kind, int size, int largestPiece, long seed, int level, byte magic) {
    byte[] plain() {
      return kind.bytes(size);
    }
  }

  abstract Codec codec();

  /** Returns levels worth trying, slow ones seldom. */
  abstract List<Integer> levels();

  /** Returns what it holds on the heap and outside of it, as documented, rounded up. */
  abstract int heapKib();

  abstract int nativeKib();

  /** Returns the most bytes that one batch of 300,000 bytes may allocate once warm. */
  long allowedBytes() {
    return 0;
  }

  /** Returns true if the stored bytes are Kafka's own. */
  boolean writesWhatKafkaWrites() {
    return true;
  }

  final Encoder encoder() {
    Encoder encoder = encoders.get(codec());
    if (encoder == null) {
      throw new AssertionError(codec().name(), encoders.unavailableCause(codec()));
    }
    return encoder;
  }

  final OutputBuffer output() {
    return output;
  }

  /** Compresses at the default level; null after a failure. */
  final byte[] encode(byte[] plain) {
    output.start(ENOUGH);
    assertTrue(write(plain));
    return copyAndRelease();
  }

  private boolean write(byte[] plain) {
    encoder().open(output, codec().defaultLevel(), 2);
    encoder().write(plain, 0, plain.length);
    return encoder().finish();
  }

  private byte[] copyAndRelease() {
    byte[] stored = Written.to(output);
    encoder().release();
    output.release();
    return stored;
  }

  private byte[] encode(Input input) {
    byte[] plain = input.plain();
    Random random = new Random(input.seed());
    output.start(ENOUGH);
    encoder().open(output, input.level(), input.magic());
    for (int at = 0; at < plain.length; ) {
      int bytes = Math.min(plain.length - at, random.nextInt(input.largestPiece() + 1));
      encoder().write(plain, at, bytes);
      at += bytes;
    }
    assertTrue(encoder().finish(), () -> output.failure() + " for " + input);
    return copyAndRelease();
  }

  private void assertReadBack(byte[] plain, byte[] stored) throws IOException {
    Outcome ours = Outcome.of(Objects.requireNonNull(decoders.get(codec())), stored);
    assertTrue(ours.isClean(), ours::toString);
    assertArrayEquals(plain, ours.plain(), "our decoder");
    Outcome kafka = Outcome.ofKafka(codec(), stored);
    assertTrue(kafka.isClean(), kafka::toString);
    assertArrayEquals(plain, kafka.plain(), "Kafka's reader");
    if (IndependentCodec.decodes(codec())) {
      assertArrayEquals(plain, IndependentCodec.decode(codec(), stored), "an independent decoder");
    }
  }

  @Provide
  Arbitrary<Input> inputs() {
    Arbitrary<Integer> sizes =
        Arbitraries.oneOf(
            Arbitraries.integers().between(0, LARGEST),
            Arbitraries.of(0, 1, 2, 100, LARGEST),
            Combinators.combine(
                    Arbitraries.integers().between(0, BORDERS.length - 1),
                    Arbitraries.integers().between(-2, 2))
                .as((i, more) -> BORDERS[i] + more));
    Arbitrary<Integer> levels =
        Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.just(codec().defaultLevel())),
            Tuple.of(1, Arbitraries.of(levels())));
    return Combinators.combine(
            Arbitraries.of(Plain.class),
            sizes,
            Arbitraries.of(1, 10, 1000, 20_000, 70_000, LARGEST),
            Arbitraries.longs(),
            levels,
            Arbitraries.of((byte) 0, (byte) 1, (byte) 2))
        .as(Input::new);
  }

  /** One encoder writes it all, and fails half-way through other batches in between. */
  @Property(tries = 200)
  void writtenBytesAreReadBack(@ForAll("inputs") Input input) throws IOException {
    failHalfWay(input);
    byte[] stored = encode(input);
    if (input.magic() == 2) {
      assertReadBack(input.plain(), stored);
    }
    byte[] kafkas =
        Batches.compress(Batches.compression(codec(), input.level()), input.magic(), input.plain());
    if (writesWhatKafkaWrites()) {
      assertArrayEquals(kafkas, stored);
    } else {
      assertTrue(stored.length <= kafkas.length + kafkas.length / 8 + 16);
    }
  }

  private void failHalfWay(Input input) {
    if (input.seed() % 2 == 0) {
      output.start((int) Math.abs(input.seed() % 1000));
      encoder().open(output, input.level(), input.magic());
      encoder().write(Plain.RANDOM.bytes(5000), 0, 5000);
      if (input.seed() % 4 == 0) {
        assertFalse(encoder().finish());
      }
    }
  }

  /** The limit is held against what is written, not against what the codec might need. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 40_000, 100_000, LARGEST})
  void anOutputThatIsOneByteTooSmallFails(int size) throws IOException {
    for (Plain kind : Plain.values()) {
      byte[] plain = kind.bytes(size);
      byte[] stored = encode(plain);
      output.start(stored.length);
      assertTrue(write(plain), () -> size + " bytes of " + kind);
      assertArrayEquals(stored, copyAndRelease());

      output.start(stored.length - 1);
      assertFalse(write(plain));
      assertLimit(stored.length - 1);
      encoder().release();
      assertReadBack(plain, encode(plain));
    }
  }

  private void assertLimit(int limit) {
    assertEquals(Reason.LIMIT_REBUILT_BYTES, output.failure());
    assertEquals(limit, output.fault().second());
    assertTrue(output.fault().first() > limit, () -> "needs " + output.fault().first());
    assertTrue(output.length() <= limit);
  }

  /** The batch is given up in the middle: where it failed, or without having failed. */
  @ParameterizedTest
  @ValueSource(ints = {1000, ENOUGH})
  void anAbandonedBatchLeavesNoTrace(int limit) throws IOException {
    byte[] noise = Plain.RANDOM.bytes(2 * LARGEST);
    byte[] plain = Plain.JSON.bytes(LARGEST);
    for (int bytes : new int[] {10, LARGEST, 2 * LARGEST}) {
      output.start(limit);
      encoder().open(output, codec().defaultLevel(), 2);
      encoder().write(noise, 0, bytes);
      assertEquals(limit == ENOUGH || bytes < limit, output.failure() == null);
      assertReadBack(plain, encode(plain));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 100_000, LARGEST})
  void writesOnlyBetweenTheStartAndTheLimit(int size) {
    for (Plain kind : Plain.values()) {
      byte[] plain = kind.bytes(size);
      byte[] stored = encode(plain);
      byte[] array = startGuarded(stored.length);
      assertTrue(write(plain));
      assertArrayEquals(stored, Arrays.copyOfRange(array, FRONT_BYTES, output.length()));
      assertGuarded(array, stored.length);

      int scarce = Math.max(0, stored.length - 1);
      array = startGuarded(scarce);
      assertEquals(stored.length == scarce, write(plain));
      assertGuarded(array, scarce);
      encoder().release();
    }
  }

  /** Returns an array that is larger than the room, full of a byte that has to stay around it. */
  private byte[] startGuarded(int room) {
    output.start(FRONT_BYTES + room + BEHIND_BYTES);
    assertTrue(output.reserve(FRONT_BYTES + room + BEHIND_BYTES));
    Arrays.fill(output.array(), GUARD);
    output.start(FRONT_BYTES + room);
    assertTrue(output.skip(FRONT_BYTES));
    return output.array();
  }

  private void assertGuarded(byte[] array, int room) {
    assertSame(array, output.array());
    assertTrue(array.length >= FRONT_BYTES + room + BEHIND_BYTES);
    for (int i = 0; i < array.length; i++) {
      int at = i;
      boolean inRoom = FRONT_BYTES <= i && i < FRONT_BYTES + room;
      assertTrue(inRoom || array[i] == GUARD, () -> "touched " + at);
    }
  }

  @Test
  void startsAfterTheBytesThatAreThere() throws IOException {
    byte[] plain = Plain.RANDOM.bytes(LARGEST);
    byte[] front = Plain.JSON.bytes(HEADER_BYTES);
    output.start(ENOUGH);
    output.skip(HEADER_BYTES);
    assertTrue(write(plain));
    System.arraycopy(front, 0, output.array(), 0, HEADER_BYTES);
    byte[] all = copyAndRelease();
    assertArrayEquals(front, Arrays.copyOf(all, HEADER_BYTES));
    assertReadBack(plain, Arrays.copyOfRange(all, HEADER_BYTES, all.length));
  }

  @Test
  void aFailedOutputIsNotWrittenTo() {
    output.start(10);
    output.skip(11);
    byte[] plain = Plain.RANDOM.bytes(LARGEST);
    assertFalse(write(plain));
    assertEquals(0, output.length());
    assertEquals(11, output.fault().first());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 20_000, 130_000, LARGEST})
  @Tag("unvaried")
  void allocatesNothingOnceWarm(int size) {
    byte[] plain = Plain.JSON.bytes(size);
    long bytes =
        AllocationMeter.bytesPerCall(
            AllocationMeter.FEW_CALLS,
            allowedBytes(),
            () -> {
              output.start(ENOUGH);
              write(plain);
              encoder().release();
              output.release();
            });
    assertTrue(bytes <= allowedBytes(), () -> bytes + " bytes per batch");
  }

  /** Topics of different levels share an encoder: every other batch is of the default level. */
  @Test
  @Tag("unvaried")
  void allocatesNothingAtAnyLevel() {
    byte[] plain = Plain.JSON.bytes(20_000);
    for (int level : levels()) {
      long bytes =
          AllocationMeter.bytesPerCall(
              AllocationMeter.FEW_CALLS,
              2 * allowedBytes(),
              () -> {
                output.start(ENOUGH);
                encoder().open(output, level, 2);
                encoder().write(plain, 0, plain.length);
                encoder().finish();
                write(plain);
              });
      assertTrue(bytes <= 2 * allowedBytes(), () -> bytes + " bytes at level " + level);
    }
  }

  @Test
  void letsGoOfSourceAndTargetWhenReleased() throws InterruptedException {
    for (int room : new int[] {2 * WHOLE_BLOCKS, 20}) {
      List<WeakReference<Object>> used = writeAndRelease(room);
      for (int i = 0; i < 100 && used.stream().anyMatch(each -> each.get() != null); i++) {
        System.gc();
        Thread.sleep(10);
      }
      for (WeakReference<Object> each : used) {
        assertNull(each.get(), () -> "used for a batch, with room for " + room + " bytes");
      }
    }
  }

  /** The bytes to compress are whole blocks, which no codec copies first. */
  private List<WeakReference<Object>> writeAndRelease(int room) {
    byte[] source = Plain.JSON.bytes(WHOLE_BLOCKS);
    OutputBuffer target = new OutputBuffer();
    target.start(room);
    target.reserve(room);
    byte[] array = target.array();
    encoder().open(target, codec().defaultLevel(), 2);
    encoder().write(source, 0, WHOLE_BLOCKS);
    assertEquals(room > WHOLE_BLOCKS, encoder().finish());
    assertSame(array, target.array());
    encoder().release();
    return List.of(
        new WeakReference<>(source), new WeakReference<>(target), new WeakReference<>(array));
  }

  @Test
  void statesTheMemoryItHolds() {
    encode(Plain.JSON.bytes(LARGEST));
    long heap = encoder().heapBytes();
    long outside = encoder().nativeBytes();
    assertEquals(heapKib(), (heap + 1023) / 1024);
    assertEquals(nativeKib(), (outside + 1023) / 1024);
    for (Plain kind : Plain.values()) {
      encode(kind.bytes(1000));
      encode(kind.bytes(LARGEST));
      assertEquals(heap, encoder().heapBytes());
      assertEquals(outside, encoder().nativeBytes());
    }
  }
}
