// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.shadow;

import io.github.batchvalidator.dropin.policies.Targets;
import io.github.batchvalidator.dropin.shadow.LineCalls.Entry;
import io.github.batchvalidator.rule.Codec;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.apache.kafka.common.compress.Compression;

/**
 * A line of text that reproduces one append: all arguments of the validator, and the bytes of the
 * records before the call. The test {@code LineReplayIT} reads it ({@code -Dlines.replay}).
 */
final class ShadowSample {
  private static final int COMPRESSION_TYPE = 3;
  private static final int TARGET = 4;
  private static final int ORIGIN = 11;
  private static final int LIMIT_OR_VERSION = 12;
  private static final String NO_LEVEL = "-2147483648";
  private static final String NO_LIMIT = "-1";

  private ShadowSample() {}

  /**
   * Returns the line.
   *
   * @param entry the called method
   * @param arguments the arguments of the validator's constructor
   * @param buffer the buffer of the records
   * @param nowMs the time of the append
   * @param firstOffset the offset counter before the call
   * @param before the bytes of the records before the call
   */
  static String line(
      Entry entry,
      Object[] arguments,
      ByteBuffer buffer,
      long nowMs,
      long firstOffset,
      byte[] before)
      throws Throwable {
    Compression target = (Compression) arguments[TARGET];
    Codec codec =
        Codec.valueOf(text(Handles.call(Handles.method(Compression.class, "type"), target)));
    StringBuilder line = new StringBuilder();
    append(line, buffer.isReadOnly() ? "READ_ONLY" : buffer.isDirect() ? "DIRECT" : "HEAP");
    append(line, entry.name());
    append(line, text(arguments[COMPRESSION_TYPE]));
    append(line, codec.name());
    append(line, level(target, codec));
    append(line, text(arguments[6]));
    append(line, text(arguments[7]));
    append(line, text(arguments[8]));
    append(line, text(arguments[9]));
    append(line, Long.toString(nowMs));
    append(line, text(arguments[5]));
    append(line, text(arguments[ORIGIN]));
    append(line, text(arguments[10]));
    append(line, Long.toString(firstOffset));
    Object last = arguments.length > LIMIT_OR_VERSION ? arguments[LIMIT_OR_VERSION] : NO_LIMIT;
    append(line, last instanceof Integer limit && limit > 0 ? text(limit) : NO_LIMIT);
    append(line, Boolean.toString(text(last).matches("IBP_([01]_.*|2_0_.*)")));
    append(line, "true");
    return line.append("b64:").append(Base64.getEncoder().encodeToString(before)).toString();
  }

  private static void append(StringBuilder line, String word) {
    line.append(word).append(' ');
  }

  private static String level(Compression target, Codec codec) {
    boolean has = codec != Codec.NONE && codec != Codec.SNAPPY;
    return has ? Integer.toString(Targets.level(target, codec)) : NO_LEVEL;
  }

  /** {@return the text of a value} Enums are named by their constant: Kafka overrides toString. */
  private static String text(Object value) {
    return value instanceof Enum<?> constant ? constant.name() : String.valueOf(value);
  }
}
