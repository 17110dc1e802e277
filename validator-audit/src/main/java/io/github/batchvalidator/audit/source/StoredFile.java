// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.io.InputStream;

/** A file beside a segment, such as an index. It is read from start to end. */
public interface StoredFile {
  /** Returns the name to show in reports. */
  String name();

  /** Returns the size in bytes. */
  long size() throws IOException;

  /** Opens the file. The caller closes the stream. */
  InputStream open() throws IOException;
}
