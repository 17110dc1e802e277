// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.Plain;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the cases of one codec in every window, over heap and direct memory, and through Kafka. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StreamCaseContract {
  static final byte[] P = Plain.JSON.bytes(1000);
  static final byte[] PP = Bytes.concat(P, P);
  static final byte[] NOTHING = {};

  /** For a large stream that is read byte by byte. */
  private static final Placement.Kind[] ONE_KIND = {Placement.Kind.HEAP};

  abstract Codec codec();

  abstract List<StreamCase> cases();

  /** Returns what inflates gzip. */
  GzipInflater gzip() {
    return GzipInflater.JDK;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void oursIsAsListed(StreamCase row) {
    for (DecoderContract.Window window : DecoderContract.Window.values()) {
      try (Decoders decoders = window.decoders(gzip())) {
        boolean isSlow = row.plain != null && !window.reads(row.plain.length);
        for (Placement.Kind kind : isSlow ? ONE_KIND : Placement.Kind.values()) {
          Placement placement = Placement.of(kind, row.stored);
          assertAsListed(row, decoders, placement);
          placement.assertUntouched();
        }
      }
    }
  }

  private void assertAsListed(StreamCase row, Decoders decoders, Placement placement) {
    PayloadDecoder decoder = DecoderContract.decoder(decoders, codec());
    Payload payload = placement.wrap(new Payload());
    Outcome outcome = Outcome.of(decoder, payload, Limits.UNBOUNDED_AS_KAFKA);
    decoder.release();
    assertEquals(row.isAccepted(), outcome.isClean(), outcome::toString);
    if (row.reason != null) {
      assertEquals(row.reason, outcome.reason(), outcome::toString);
    }
    assertTrue(outcome.inputPosition() <= row.stored.length, outcome::toString);
    if (row.plain != null) {
      assertArrayEquals(row.plain, outcome.plain());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void kafkaIsAsListed(StreamCase row) {
    assumeTrue(row.kafkaLeftOut == null, () -> "left out: " + row.kafkaLeftOut);
    Outcome kafka = Outcome.ofKafka(codec(), row.stored);
    if (row.kafkaEndsWith != null) {
      assertNull(kafka.fault());
      assertArrayEquals(row.kafkaEndsWith, kafka.plain());
    } else if (row.kafkaEscape != null) {
      assertInstanceOf(row.kafkaEscape, kafka.fault());
    } else if (row.plain != null) {
      assertNull(kafka.fault());
      assertArrayEquals(row.plain, kafka.plain());
    } else {
      assertTrue(!kafka.isClean(), kafka::toString);
    }
  }
}
