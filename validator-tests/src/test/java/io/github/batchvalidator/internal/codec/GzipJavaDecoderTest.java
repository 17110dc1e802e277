// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.rule.GzipInflater;

class GzipJavaDecoderTest extends GzipDecoderTest {
  @Override
  GzipInflater gzip() {
    return GzipInflater.JAVA;
  }
}
