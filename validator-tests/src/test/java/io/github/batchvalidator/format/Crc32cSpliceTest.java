// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.format;

import java.util.zip.CRC32C;

final class Crc32cSpliceTest extends CrcSpliceContract {
  Crc32cSpliceTest() {
    super(CrcSplice.CRC32C, new CRC32C());
  }
}
