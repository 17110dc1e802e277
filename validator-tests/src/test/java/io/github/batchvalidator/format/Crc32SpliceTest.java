// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.util.zip.CRC32;

final class Crc32SpliceTest extends CrcSpliceContract {
  Crc32SpliceTest() {
    super(CrcSplice.CRC32, new CRC32());
  }
}
