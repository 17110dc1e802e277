// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.fuzz;

import io.github.batchvalidator.internal.codec.DecoderFuzz;
import io.github.batchvalidator.internal.codec.snappy.WalkFuzz;
import io.github.batchvalidator.lines.AppendFuzz;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.GzipInflater;
import java.util.Locale;
import java.util.function.Consumer;

/** The entry points that are fuzzed; a corpus lies in a directory of the same name. */
enum FuzzTarget {
  DECODE_STORED(new DecoderFuzz(Codec.NONE, GzipInflater.JDK)::run),
  DECODE_GZIP_JDK(new DecoderFuzz(Codec.GZIP, GzipInflater.JDK)::run),
  DECODE_GZIP_JAVA(new DecoderFuzz(Codec.GZIP, GzipInflater.JAVA)::run),
  DECODE_SNAPPY(new DecoderFuzz(Codec.SNAPPY, GzipInflater.JDK)::run),
  DECODE_LZ4(new DecoderFuzz(Codec.LZ4, GzipInflater.JDK)::run),
  DECODE_ZSTD(new DecoderFuzz(Codec.ZSTD, GzipInflater.JDK)::run),
  WALK_SNAPPY(WalkFuzz::run),
  INSPECT_KAFKA(InspectFuzz::atKafka),
  INSPECT_STRICT(InspectFuzz::atStrict),
  REBUILD(RebuildFuzz::run),
  DROP_IN(AppendFuzz::run);

  @SuppressWarnings("ImmutableEnumChecker") // decoders that are reused, as in a host
  private final Consumer<byte[]> body;

  FuzzTarget(Consumer<byte[]> body) {
    this.body = body;
  }

  void run(byte[] input) {
    body.accept(input);
  }

  /** Returns the name of the corpus and of the argument that selects it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
