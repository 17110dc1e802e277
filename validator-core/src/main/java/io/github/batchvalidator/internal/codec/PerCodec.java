// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One object per codec, created when a batch first needs it and kept from then on. A codec whose
 * library is missing or does not load is remembered as unavailable.
 *
 * <p>Confined to one thread.
 *
 * @param <T> what there is one of for each codec
 */
public abstract class PerCodec<T extends ReusableResource> implements ReusableResource {
  /** What a map would iterate over is garbage, and hosts ask for sizes between batches. */
  private static final Codec[] CODECS = Codec.values();

  private final Map<Codec, T> created = new EnumMap<>(Codec.class);
  private final Map<Codec, Throwable> causes = new EnumMap<>(Codec.class);
  private final Fault missing = new Fault();
  private @Nullable Throwable lack;

  /** For subclasses. */
  protected PerCodec() {}

  /**
   * Creates what a codec needs. Whatever it throws is why the codec is unavailable.
   *
   * @param codec the codec
   * @return the object to keep
   */
  protected abstract T construct(Codec codec);

  /**
   * {@return the object of a codec, or null if its library is not available or memory is missing}
   * After a lack of memory the next call tries again. {@link #missing} tells the two apart.
   *
   * @param codec the codec
   */
  public final @Nullable T get(Codec codec) {
    T there = created.get(codec);
    return there != null || causes.containsKey(codec) ? there : create(codec);
  }

  /**
   * {@return why a codec is not available, or null if it is or was not needed yet}
   *
   * @param codec the codec
   */
  public final @Nullable Throwable unavailableCause(Codec codec) {
    return causes.get(codec);
  }

  /**
   * Returns why {@link #get} has just returned null.
   *
   * @param codec the codec
   * @return a fault with the id of the codec, {@link Reason#CODEC_UNAVAILABLE} or {@link
   *     Reason#CODEC_OUT_OF_MEMORY}; valid until the next call
   */
  public final Fault missing(Codec codec) {
    Throwable cause = causes.get(codec);
    if (cause != null) {
      missing.set(Reason.CODEC_UNAVAILABLE, codec.id(), 0, cause);
    } else {
      missing.set(Reason.CODEC_OUT_OF_MEMORY, codec.id(), 0, lack);
    }
    return missing;
  }

  private @Nullable T create(Codec codec) {
    try {
      T made = construct(codec);
      created.put(codec, made);
      return made;
    } catch (RuntimeException | Error e) {
      if (CodecFailure.isLackOfMemory(e)) { // another time there may be enough
        lack = e;
      } else {
        causes.put(codec, e);
      }
      return null;
    }
  }

  @Override
  public final long heapBytes() {
    long bytes = 0;
    for (Codec codec : CODECS) {
      T each = created.get(codec);
      bytes += each == null ? 0 : each.heapBytes();
    }
    return bytes;
  }

  @Override
  public final long nativeBytes() {
    long bytes = 0;
    for (Codec codec : CODECS) {
      T each = created.get(codec);
      bytes += each == null ? 0 : each.nativeBytes();
    }
    return bytes;
  }

  @Override
  public final void close() {
    for (T each : created.values()) {
      each.close();
    }
    created.clear();
  }
}
