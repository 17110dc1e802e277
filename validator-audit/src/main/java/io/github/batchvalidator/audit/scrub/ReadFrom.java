// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

/** The source of the bytes of a file. */
public enum ReadFrom {
  /** The disk, past the page cache. */
  DISK("disk"),
  /** The page cache, which reads from the disk what it lacks. */
  CACHE("cache");

  private final String text;

  ReadFrom(String text) {
    this.text = text;
  }

  /** Returns the name in reports and metrics. */
  public String text() {
    return text;
  }
}
