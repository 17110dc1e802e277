// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rebuild;

import io.github.batchvalidator.rule.Codec;
import org.jspecify.annotations.Nullable;

/**
 * One encoder per codec, created when a batch first needs it and kept from then on. A codec whose
 * library is missing or does not load is remembered as unavailable.
 *
 * <p>Confined to one thread.
 */
public final class Encoders implements AutoCloseable {
  private final @Nullable Encoder[] encoders = new Encoder[Codec.count()];
  private final @Nullable Throwable[] causes = new Throwable[Codec.count()];

  /** Creates the registry; encoders follow when they are needed. */
  public Encoders() {}

  /**
   * {@return the encoder of a codec, or null if its library is not available}
   *
   * @param codec the codec
   */
  public @Nullable Encoder get(Codec codec) {
    Encoder encoder = encoders[codec.id()];
    return encoder != null || causes[codec.id()] != null ? encoder : create(codec);
  }

  /**
   * {@return why a codec is not available, or null if it is or was not needed yet}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return causes[codec.id()];
  }

  private @Nullable Encoder create(Codec codec) {
    try {
      Encoder encoder = construct(codec);
      encoders[codec.id()] = encoder;
      return encoder;
    } catch (RuntimeException | Error e) {
      causes[codec.id()] = e;
      return null;
    }
  }

  private static Encoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredEncoder();
      case GZIP -> new GzipEncoder();
      case SNAPPY -> new SnappyEncoder();
      case LZ4 -> new Lz4Encoder();
      case ZSTD -> new ZstdEncoder();
    };
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    long bytes = 0;
    for (Encoder encoder : encoders) {
      bytes += encoder == null ? 0 : encoder.heapBytes();
    }
    return bytes;
  }

  /** {@return the bytes held outside of the heap between batches, as far as they are known} */
  public long nativeBytes() {
    long bytes = 0;
    for (Encoder encoder : encoders) {
      bytes += encoder == null ? 0 : encoder.nativeBytes();
    }
    return bytes;
  }

  /** Frees native memory; nothing may be opened afterwards. */
  @Override
  public void close() {
    for (int i = 0; i < encoders.length; i++) {
      Encoder encoder = encoders[i];
      encoders[i] = null;
      if (encoder != null) {
        encoder.close();
      }
    }
  }
}
