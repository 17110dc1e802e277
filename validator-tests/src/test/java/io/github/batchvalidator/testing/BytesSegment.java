// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.audit.source.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A segment in memory, to be changed where a test needs it. */
public class BytesSegment extends Segment {
  private final byte[] bytes;
  private long bytesRead;

  public BytesSegment(String name, byte[] bytes) {
    super(name, name);
    this.bytes = bytes;
  }

  /** Returns how many bytes were read, those that were mapped left out. */
  public final long bytesRead() {
    return bytesRead;
  }

  @Override
  public void openBytes() {}

  @Override
  public final long currentSize() {
    return bytes.length;
  }

  @Override
  public void read(ByteBuffer target, long position) throws IOException {
    bytesRead += target.remaining();
    target.put(bytes, (int) position, target.remaining());
  }

  @Override
  public ByteBuffer map(long position, int length) throws IOException {
    return ByteBuffer.wrap(bytes, (int) position, length).slice();
  }

  @Override
  public void close() {}
}
