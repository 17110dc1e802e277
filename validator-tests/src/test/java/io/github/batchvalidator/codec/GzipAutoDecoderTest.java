// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

class GzipAutoDecoderTest extends GzipDecoderTest {
  @Override
  GzipInflater gzip() {
    return GzipInflater.AUTO;
  }
}
