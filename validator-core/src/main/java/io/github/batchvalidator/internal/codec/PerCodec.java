// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.internal.codec;

import io.github.batchvalidator.internal.fault.Fault;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A set of objects, one per codec. Each is created when a batch first needs it, and then kept. A
 * codec whose library is missing or does not load is remembered as unavailable.
 *
 * <p>Confined to one thread.
 *
 * @param <T> the type of the objects
 */
public abstract class PerCodec<T extends ReusableResource> implements ReusableResource {
  /** Iterating over a map allocates, and hosts ask for sizes between batches. */
  private static final Codec[] CODECS = Codec.values();

  private final Map<Codec, T> created = new EnumMap<>(Codec.class);
  private final Map<Codec, Throwable> causes = new EnumMap<>(Codec.class);
  private final Fault missing = new Fault();
  private @Nullable Throwable memoryError;

  protected PerCodec() {}

  /**
   * Creates the object of a codec. Any exception or {@code Error} except lack of memory makes the
   * codec unavailable.
   *
   * @param codec the codec
   * @return the object to keep
   */
  protected abstract T construct(Codec codec);

  /**
   * {@return the object of a codec, or null if its library or memory is missing} {@link #missing}
   * tells which. After a lack of memory, the next call tries again.
   *
   * @param codec the codec
   */
  public final @Nullable T get(Codec codec) {
    T existing = created.get(codec);
    return existing != null || causes.containsKey(codec) ? existing : create(codec);
  }

  /**
   * {@return the exception that made a codec unavailable, or null if the codec is available or was
   * never used}
   *
   * @param codec the codec
   */
  public final @Nullable Throwable unavailableCause(Codec codec) {
    return causes.get(codec);
  }

  /**
   * Returns the fault for which {@link #get} has just returned null.
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
      missing.set(Reason.CODEC_OUT_OF_MEMORY, codec.id(), 0, memoryError);
    }
    return missing;
  }

  private @Nullable T create(Codec codec) {
    try {
      T made = construct(codec);
      created.put(codec, made);
      return made;
    } catch (RuntimeException | Error e) {
      if (CodecFailure.isLackOfMemory(e)) { // a later call may succeed
        memoryError = e;
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
