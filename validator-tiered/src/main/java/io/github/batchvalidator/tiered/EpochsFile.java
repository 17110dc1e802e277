// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import io.github.batchvalidator.audit.source.StoredFile;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The checkpoint of leader epochs of an upload, which a broker passes in memory. */
final class EpochsFile implements StoredFile {
  private final String name;
  private final byte[] bytes;

  /**
   * Creates a file.
   *
   * @param name the name to show in reports
   * @param content the bytes between position and limit; the position stays
   */
  EpochsFile(String name, ByteBuffer content) {
    this.name = name;
    bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public InputStream open() {
    return new ByteArrayInputStream(bytes);
  }
}
