// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import io.github.batchvalidator.audit.source.Segment;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** A small segment in the jar. It holds the first batches of a segment that a broker wrote. */
final class SampleSegment extends Segment {
  private static final List<String> NAMES =
      List.of(
          "json-none.log",
          "json-gzip.log",
          "json-snappy.log",
          "json-lz4.log",
          "json-zstd.log",
          "txn-lz4.log");
  private static final byte[] NOTHING = {};

  private final String resource;
  private byte[] bytes = NOTHING;

  private SampleSegment(String resource) {
    super(resource, resource);
    this.resource = resource;
  }

  /** Returns all samples: one per codec and one with transactions. */
  static List<Segment> all() {
    return NAMES.stream().map(name -> (Segment) new SampleSegment("sample/" + name)).toList();
  }

  @Override
  public void openBytes() throws IOException {
    try (InputStream in = SampleSegment.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException("missing from the jar");
      }
      bytes = in.readAllBytes();
    }
  }

  @Override
  public long currentSize() {
    return bytes.length;
  }

  @Override
  public void read(ByteBuffer target, long position) {
    target.put(bytes, (int) position, target.remaining());
  }

  @Override
  public ByteBuffer map(long position, int length) {
    return ByteBuffer.wrap(bytes, (int) position, length).slice();
  }

  @Override
  public void close() {
    bytes = NOTHING;
  }
}
