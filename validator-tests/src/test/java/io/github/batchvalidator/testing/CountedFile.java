// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A file in memory that counts how many bytes were read, and how many streams are open. */
public final class CountedFile implements StoredFile {
  private final byte[] bytes;
  private long bytesRead;
  private int openStreams;

  public CountedFile(byte[] bytes) {
    this.bytes = bytes;
  }

  public long bytesRead() {
    return bytesRead;
  }

  public int openStreams() {
    return openStreams;
  }

  @Override
  public String name() {
    return "counted";
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public InputStream open() {
    openStreams++;
    return new Counted(new ByteArrayInputStream(bytes));
  }

  private final class Counted extends FilterInputStream {
    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, length);
      bytesRead += Math.max(0, read);
      return read;
    }

    @Override
    public void close() throws IOException {
      openStreams--;
      super.close();
    }
  }
}
