// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.preflight;

import io.github.batchvalidator.BatchRebuilder;
import io.github.batchvalidator.BatchValidator;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Origin;
import io.github.batchvalidator.rule.Policy;
import io.github.batchvalidator.rule.Target;
import io.github.batchvalidator.rule.Verdict;
import java.net.URL;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The check of the codec libraries: each one writes and reads a batch. */
final class CodecCheck {
  private static final String WHAT = "Codec";

  private static final Map<Codec, String> CLASS_OF_LIBRARY =
      Map.of(
          Codec.SNAPPY, "org/xerial/snappy/Snappy.class",
          Codec.LZ4, "net/jpountz/lz4/LZ4Factory.class",
          Codec.ZSTD, "com/github/luben/zstd/Zstd.class");

  /** Length 10, no attributes, deltas 0, no key, a value of 4 bytes, no headers. */
  private static final byte[] RECORD = {20, 0, 0, 0, 1, 8, 1, 2, 3, 4, 0};

  private CodecCheck() {}

  static void check(Findings findings) {
    for (Codec codec : Codec.values()) {
      if (codec != Codec.NONE) {
        String name = codec.name().toLowerCase(Locale.ROOT) + " by " + library(codec);
        String fault = fault(codec);
        if (fault == null) {
          findings.ok(WHAT, name);
        } else {
          findings.fix(WHAT, name + ": " + fault);
        }
      }
    }
  }

  /** {@return the file name of the library's jar, which has its version} */
  private static String library(Codec codec) {
    String type = CLASS_OF_LIBRARY.get(codec);
    if (type == null) {
      return "the JDK";
    }
    URL url = CodecCheck.class.getClassLoader().getResource(type);
    if (url == null) {
      return "no library";
    }
    String jar = url.toString().replaceFirst("!/.*", "");
    return jar.substring(jar.lastIndexOf('/') + 1);
  }

  private static @Nullable String fault(Codec codec) {
    Policy stored = Policy.builder(Origin.CLIENT).target(Target.of(codec)).build();
    Verdict verdict = BatchValidator.newVerdict();
    try (BatchRebuilder rebuilder = new BatchRebuilder();
        BatchValidator validator = new BatchValidator()) {
      if (!rebuilder.rebuild(plainBatch(), stored, 0, verdict)) {
        return verdict.describe() + cause(rebuilder.unavailableCause(codec));
      }
      return validator.inspect(rebuilder.batch(), stored, 0, verdict)
          ? null
          : verdict.describe() + cause(validator.unavailableCause(codec));
    } catch (RuntimeException | LinkageError e) {
      return e.toString();
    }
  }

  private static String cause(@Nullable Throwable thrown) {
    return thrown == null ? "" : " (" + thrown + ")";
  }

  /** {@return an uncompressed batch with one record} */
  private static ByteBuffer plainBatch() {
    int bytes = BatchLayout.HEADER_BYTES + RECORD.length;
    ByteBuffer batch = ByteBuffer.allocate(bytes);
    batch.putInt(BatchLayout.LENGTH_OFFSET, bytes - BatchLayout.LENGTH_OFFSET - Integer.BYTES);
    batch.put(BatchLayout.MAGIC_OFFSET, BatchLayout.MAGIC_V2);
    for (int at = BatchLayout.PRODUCER_ID_OFFSET; at < BatchLayout.RECORD_COUNT_OFFSET; at++) {
      batch.put(at, (byte) -1); // no producer id, epoch and sequence
    }
    batch.putInt(BatchLayout.RECORD_COUNT_OFFSET, 1);
    batch.put(BatchLayout.HEADER_BYTES, RECORD);
    CRC32C crc = new CRC32C();
    int from = BatchLayout.ATTRIBUTES_OFFSET;
    crc.update(batch.array(), from, bytes - from);
    return batch.putInt(BatchLayout.CRC_OFFSET, (int) crc.getValue());
  }
}
