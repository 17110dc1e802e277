// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.github.batchvalidator.audit.report.Fault;
import io.github.batchvalidator.audit.report.FileFault;
import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.report.TieredReason;
import io.github.batchvalidator.audit.source.StorageFaultException;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import org.jspecify.annotations.Nullable;

/**
 * The log of a segment, decrypted and decompressed chunk by chunk.
 *
 * <p>Memory is that of one zstd decoder, whatever the manifest says of the sizes. An encrypted
 * chunk is also held as a whole, because its tag is at its end. Confined to one thread at a time.
 */
final class ChunkStream extends InputStream {
  /** The largest window of a frame is 128 MiB. A frame with a larger one is not decompressed. */
  private static final int MAX_WINDOW_LOG = 27;

  private final ObjectStore store;
  private final String key;
  private final ChunkIndex chunks;
  private final boolean compressed;
  private final @Nullable ChunkCipher cipher;
  private final InputStream object;
  private int chunk;
  private @Nullable BoundedStream stored;
  private @Nullable InputStream plain;

  /** The number of bytes of the chunk that were not read yet. */
  private long left;

  /**
   * Opens the log.
   *
   * @param manifest the chunks, and whether they are compressed
   * @param cipher the decryption of the chunks, or null if they are not encrypted
   * @param position the first byte of the log to read
   */
  ChunkStream(
      ObjectStore store, String key, Manifest manifest, @Nullable ChunkCipher cipher, long position)
      throws IOException {
    this.store = store;
    this.key = key;
    this.cipher = cipher;
    chunks = manifest.chunks();
    compressed = manifest.compressed();
    chunk = Math.min(chunks.chunkOf(position), chunks.count());
    object = store.open(key, chunks.objectStart(chunk));
    try {
      skipNBytes(position - chunks.logStart(chunk));
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    InputStream current = plain;
    if (current == null) {
      if (chunk == chunks.count()) {
        return -1;
      }
      current = start();
    }
    int bytes;
    try {
      bytes = current.read(target, offset, (int) Math.min(length, left));
    } catch (IOException e) {
      throw failed(e);
    }
    if (bytes < 0) {
      throw corrupt("ends " + left + " bytes early");
    }
    left -= bytes;
    if (left == 0) {
      end(current);
    }
    return bytes;
  }

  private InputStream start() throws IOException {
    BoundedStream bytes = new BoundedStream(object, chunks.objectBytes(chunk));
    stored = bytes;
    left = chunks.logBytes(chunk);
    InputStream chunkBytes = cipher == null ? new Unclosed(bytes) : decrypted(cipher, bytes);
    if (compressed) {
      ZstdInputStreamNoFinalizer opened = new ZstdInputStreamNoFinalizer(chunkBytes);
      opened.setLongMax(MAX_WINDOW_LOG);
      chunkBytes = opened;
    }
    plain = chunkBytes;
    return chunkBytes;
  }

  private InputStream decrypted(ChunkCipher with, BoundedStream bytes) throws IOException {
    try {
      return new ByteArrayInputStream(with.decrypt(bytes.readAllBytes()));
    } catch (GeneralSecurityException e) {
      throw corrupt("cannot be decrypted: it was changed, or belongs to another segment");
    }
  }

  /** Ends a chunk, of which nothing may be left. */
  private void end(InputStream current) throws IOException {
    BoundedStream bytes = stored;
    try {
      if (current.read() >= 0) {
        throw corrupt("has more than " + chunks.logBytes(chunk) + " bytes");
      }
    } catch (StorageFaultException e) {
      throw e;
    } catch (IOException e) {
      throw failed(e);
    }
    if (bytes != null && bytes.left() > 0) {
      throw corrupt("has bytes after its frame");
    }
    current.close();
    plain = null;
    chunk++;
  }

  /** Returns the error for a chunk: that of the store, or a fault if the frame is damaged. */
  private IOException failed(IOException why) {
    return why instanceof ZstdIOException
        ? corrupt("cannot be decompressed: " + Messages.of(why))
        : why;
  }

  private StorageFaultException corrupt(String why) {
    Fault fault =
        Fault.of(
            TieredReason.TIERED_CHUNK_CORRUPT,
            chunks.objectStart(chunk),
            Fault.UNKNOWN,
            chunk,
            why);
    return new StorageFaultException(new FileFault(store.name(key), fault));
  }

  @Override
  public void close() throws IOException {
    InputStream current = plain;
    plain = null;
    try {
      if (current != null) {
        current.close();
      }
    } finally {
      object.close();
    }
  }

  /** A view that leaves the stream open, because the next chunk follows. */
  private static final class Unclosed extends FilterInputStream {
    Unclosed(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, length);
    }

    @Override
    public void close() {
      // the chunk stream closes the object
    }
  }
}
