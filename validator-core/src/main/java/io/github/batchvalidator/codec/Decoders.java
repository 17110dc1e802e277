// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.codec;

import io.github.batchvalidator.rule.Codec;
import org.jspecify.annotations.Nullable;

/**
 * One decoder per codec, created when a batch first needs it and kept from then on. A codec whose
 * library is missing or does not load is remembered as unavailable.
 *
 * <p>Confined to one thread.
 */
public final class Decoders implements AutoCloseable {
  private final int windowBytes;
  private final boolean likeKafka;
  private final @Nullable PayloadDecoder[] decoders = new PayloadDecoder[Codec.count()];
  private final @Nullable Throwable[] causes = new Throwable[Codec.count()];

  private Decoders(int windowBytes, boolean likeKafka) {
    this.windowBytes = windowBytes;
    this.likeKafka = likeKafka;
  }

  /** {@return decoders with the window that is fastest for each codec} */
  public static Decoders fastest() {
    return new Decoders(Integer.MAX_VALUE, false);
  }

  /**
   * {@return decoders whose windows are {@link SkipBuffer#FIXED_BYTES} each, for hosts with many
   * validators} Blocks of lz4 and Snappy are still decoded whole.
   */
  public static Decoders lowMemory() {
    return withWindow(SkipBuffer.FIXED_BYTES);
  }

  /**
   * {@return decoders that hand out plain bytes in exactly the portions in which Kafka's readers
   * pull them} Of several faults in a stream and the records in it the same one is met first as in
   * Kafka. They are slower, allocate for each batch and tell the same where there is one fault.
   */
  public static Decoders likeKafka() {
    return new Decoders(Integer.MAX_VALUE, true);
  }

  /** {@return decoders that expose a given number of bytes at a time, at least 1} */
  static Decoders withWindow(int bytes) {
    return new Decoders(bytes, false);
  }

  /**
   * {@return the decoder of a codec, or null if its library is not available}
   *
   * @param codec the codec
   */
  public @Nullable PayloadDecoder get(Codec codec) {
    PayloadDecoder decoder = decoders[codec.id()];
    return decoder != null || causes[codec.id()] != null ? decoder : create(codec);
  }

  /**
   * {@return why a codec is not available, or null if it is or was not needed yet}
   *
   * @param codec the codec
   */
  public @Nullable Throwable unavailableCause(Codec codec) {
    return causes[codec.id()];
  }

  private @Nullable PayloadDecoder create(Codec codec) {
    try {
      PayloadDecoder decoder = construct(codec);
      decoders[codec.id()] = decoder;
      return decoder;
    } catch (RuntimeException | Error e) {
      causes[codec.id()] = e;
      return null;
    }
  }

  private PayloadDecoder construct(Codec codec) {
    return switch (codec) {
      case NONE -> new StoredDecoder(windowBytes);
      case GZIP -> likeKafka ? GzipDecoder.likeKafka() : new GzipDecoder(windowBytes);
      case SNAPPY -> likeKafka ? new SnappyPortions() : new SnappyDecoder(windowBytes);
      case LZ4 -> new Lz4Decoder(windowBytes); // block by block, as Kafka's reader
      case ZSTD -> likeKafka ? new ZstdPortions() : new ZstdDecoder(windowBytes);
    };
  }

  /** {@return the heap bytes held between batches} */
  public long heapBytes() {
    long bytes = 0;
    for (PayloadDecoder decoder : decoders) {
      bytes += decoder == null ? 0 : decoder.heapBytes();
    }
    return bytes;
  }

  /** {@return the bytes held outside of the heap between batches, as far as they are known} */
  public long nativeBytes() {
    long bytes = 0;
    for (PayloadDecoder decoder : decoders) {
      bytes += decoder == null ? 0 : decoder.nativeBytes();
    }
    return bytes;
  }

  /** Frees native memory; nothing may be opened afterwards. */
  @Override
  public void close() {
    for (int i = 0; i < decoders.length; i++) {
      PayloadDecoder decoder = decoders[i];
      decoders[i] = null;
      if (decoder != null) {
        decoder.close();
      }
    }
  }
}
