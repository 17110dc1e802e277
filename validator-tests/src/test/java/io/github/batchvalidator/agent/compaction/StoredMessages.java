// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.compaction;

import io.github.batchvalidator.agent.compaction.StoredFault.Outcome;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.LegacyMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Faults of messages of magic 0 and 1, drawn from a seed. */
final class StoredMessages {
  private final List<StoredFault> faults = new ArrayList<>();

  private StoredMessages() {}

  static List<StoredFault> all() {
    StoredMessages all = new StoredMessages();
    all.outer();
    all.inner();
    all.fields();
    return all.faults;
  }

  private void add(
      Reason reason, String what, Outcome outcome, Function<SplittableRandom, LegacyMessage> draw) {
    faults.add(new StoredFault(reason, what, outcome, random -> draw.apply(random).toBytes()));
  }

  private static LegacyMessage[] several(int count) {
    return several(count, 1);
  }

  private static LegacyMessage[] several(int count, int magic) {
    LegacyMessage[] messages = LegacyMessage.several(magic, count);
    for (int i = 1; i < count; i++) {
      messages[i].key(new byte[] {(byte) ('k' + i)});
    }
    return messages;
  }

  private static LegacyMessage holding(LegacyMessage... messages) {
    return LegacyMessage.holding(1, Codec.GZIP, messages).timestamp(time(messages.length));
  }

  private static long time(int count) {
    return Batches.nowMs() + count - 1;
  }

  private static LegacyMessage withSecond(
      BiConsumer<LegacyMessage, SplittableRandom> change, SplittableRandom random) {
    LegacyMessage[] inner = several(2);
    change.accept(inner[1], random);
    return holding(inner);
  }

  private void outer() {
    add(
        Reason.BATCH_CRC_MISMATCH,
        "magic 1, compressed",
        Outcome.HIDES,
        random -> holding(several(2)).crcError(1 << random.nextInt(31)));
    add(
        Reason.BATCH_CODEC_UNSUPPORTED,
        "",
        Outcome.FAILS,
        random -> holding(several(2)).attributes(4));
    add(
        Reason.BATCH_FIELD_BEYOND_END,
        "",
        Outcome.FAILS,
        random -> holding(several(2)).valueSizeError(1 + random.nextInt(99)));
    add(
        Reason.BATCH_VALUE_MISSING,
        "",
        Outcome.FAILS,
        random -> LegacyMessage.of(1).attributes(Codec.GZIP.id()).value(null));
    add(
        Reason.PAYLOAD_EMPTY,
        "",
        Outcome.FAILS,
        random -> LegacyMessage.holdingPlain(1, Codec.GZIP, new byte[0]));
    add(
        Reason.PAYLOAD_OFFSET_BEYOND_BATCH,
        "",
        Outcome.FAILS,
        random -> {
          LegacyMessage[] inner = several(2);
          inner[1].offset(2 + random.nextInt(99));
          return holding(inner);
        });
    add(
        Reason.PAYLOAD_MESSAGE_CUT,
        "",
        Outcome.HIDES,
        random -> {
          byte[] plain = LegacyMessage.join(several(3));
          byte[] cut =
              Arrays.copyOf(plain, plain.length - 1 - random.nextInt(plain.length / 3 - 1));
          return LegacyMessage.holdingPlain(1, Codec.GZIP, cut).offset(1).timestamp(time(2));
        });
  }

  private void inner() {
    add(
        Reason.RECORD_CRC_MISMATCH,
        "",
        Outcome.HIDES,
        random -> withSecond((message, any) -> message.crcError(1 << any.nextInt(31)), random));
    add(
        Reason.RECORD_COMPRESSED,
        "",
        Outcome.FAILS,
        random -> withSecond((message, any) -> message.attributes(1 + any.nextInt(3)), random));
    add(
        Reason.RECORD_MAGIC_MISMATCH,
        "",
        Outcome.KEEPS,
        random -> {
          LegacyMessage[] inner = several(1 + random.nextInt(3), 0);
          return LegacyMessage.holding(1, Codec.GZIP, inner);
        });
    add(
        Reason.RECORD_SIZE_TOO_SMALL,
        "",
        Outcome.FAILS,
        random -> {
          byte[] plain = LegacyMessage.join(several(2));
          Arrays.fill(plain, plain.length / 2 + 8, plain.length / 2 + 12, (byte) 0);
          plain[plain.length / 2 + 11] = (byte) random.nextInt(14);
          return LegacyMessage.holdingPlain(1, Codec.GZIP, plain).offset(1).timestamp(time(2));
        });
  }

  private void fields() {
    fields("key", Outcome.FAILS, (message, random) -> message.keySizeError(random.nextInt(1, 99)));
    fields(
        "value",
        Outcome.DEPENDS,
        (message, random) -> message.valueSizeError(random.nextInt(1, 99)));
    fields("short value", Outcome.KEEPS, (message, random) -> message.valueSizeError(-1));
  }

  private void fields(
      String what, Outcome outcome, BiConsumer<LegacyMessage, SplittableRandom> change) {
    add(
        Reason.RECORD_FIELDS_UNTRUE,
        what + " of a message",
        outcome,
        random -> {
          LegacyMessage message = LegacyMessage.of(random.nextInt(2));
          change.accept(message, random);
          return message;
        });
    add(
        Reason.RECORD_FIELDS_UNTRUE,
        what + " of an inner message",
        outcome,
        random -> withSecond(change, random));
  }
}
