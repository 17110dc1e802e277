// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import com.jcraft.jzlib.GZIPOutputStream;
import io.github.batchvalidator.internal.codec.gzip.GzipDecoder;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.streams.Bytes;
import io.github.batchvalidator.testing.streams.GzipStreams;
import io.github.batchvalidator.testing.streams.Plain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

class GzipDecoderTest extends DecoderContract {
  @Override
  Codec codec() {
    return Codec.GZIP;
  }

  @Override
  byte[] encode(byte[] plain) throws IOException {
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(stored)) {
      out.write(plain);
    }
    return stored.toByteArray();
  }

  @Override
  int largestStretch() {
    return GzipDecoder.WINDOW_BYTES;
  }

  @Override
  List<byte[]> smallStreams() throws IOException {
    byte[] plain = Plain.JSON.bytes(120);
    return List.of(
        compress(plain),
        encode(plain),
        GzipStreams.everyField(plain),
        Bytes.concat(GzipStreams.member(plain), GzipStreams.member(Plain.RANDOM.bytes(9))));
  }

  @Override
  boolean isKnownDifference(byte[] stored) {
    return GzipStreams.endsInBareHeader(stored);
  }
}
