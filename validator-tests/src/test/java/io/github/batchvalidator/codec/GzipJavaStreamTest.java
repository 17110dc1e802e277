// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

class GzipJavaStreamTest extends GzipStreamTest {
  @Override
  GzipInflater gzip() {
    return GzipInflater.JAVA;
  }
}
