// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.BufferKind;
import java.util.Random;

/**
 * A family of appends made from one draft: the honest one, and any number of others, each with
 * something done to its settings, its batch, its records or its bytes.
 */
final class Variants {
  private final Draft draft;
  private final Random random;
  private final ModernVariants modern;
  private final LegacyVariants legacy;

  Variants(Draft draft) {
    this.draft = draft;
    random = new Random(draft.seed());
    modern = new ModernVariants(draft.records(), random);
    legacy = new LegacyVariants(draft.records(), random);
  }

  /** Returns the draft with nothing done to it, the caller telling the truth about the codec. */
  Append honest() {
    Settings settings = SettingsChanges.source(draft.settings(), draft.codec());
    byte[] bytes =
        draft.magic() == 2
            ? modern.honest(draft.codec())
            : legacy.honest(draft.codec(), draft.magic());
    return new Append(bytes, draft.placement(), SettingsChanges.asCalled(settings, bytes));
  }

  /** Returns the next append; the same seed gives the same ones in the same order. */
  Append next() {
    Codec codec = random.nextInt(4) == 0 ? any(Codec.values()) : draft.codec();
    byte[] bytes = draft.magic() == 2 ? modern.next(codec) : legacy.next(codec, draft.magic());
    if (random.nextInt(12) == 0) {
      bytes = new ByteChanges(random).frame(bytes);
    }
    Settings settings = new SettingsChanges(random).vary(draft.settings());
    if (random.nextInt(16) != 0) {
      settings = SettingsChanges.source(settings, codec);
    }
    return new Append(bytes, placement(), SettingsChanges.asCalled(settings, bytes));
  }

  private BufferKind placement() {
    BufferKind kind = random.nextInt(3) == 0 ? any(BufferKind.values()) : draft.placement();
    return kind == BufferKind.READ_ONLY && random.nextInt(8) != 0 ? BufferKind.SLICED : kind;
  }

  private <T> T any(T[] all) {
    return all[random.nextInt(all.length)];
  }
}
