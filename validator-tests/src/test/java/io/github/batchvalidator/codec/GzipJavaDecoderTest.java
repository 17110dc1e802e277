// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

class GzipJavaDecoderTest extends GzipDecoderTest {
  @Override
  GzipInflater gzip() {
    return GzipInflater.JAVA;
  }
}
