// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator;

import io.github.batchvalidator.internal.codec.ByteWindow;
import io.github.batchvalidator.internal.codec.InputStreamDecoder;
import io.github.batchvalidator.internal.scan.SkipKeyValueIterator;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Reason;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over the records in a stream of plain bytes, for hosts with decompression streams of
 * their own. Keys, values and headers pass through a fixed buffer of 2 KB and are forgotten
 * (KAFKA-8106).
 *
 * <pre>{@code
 * RecordCursor cursor = new RecordCursor(); // once per thread
 *
 * cursor.open(plainBytes, recordCount, limits);
 * while (cursor.next()) {
 *   check(cursor.offsetDelta(), cursor.timestampDelta(), cursor.keySize());
 * }
 * if (!cursor.finish()) {
 *   reject(cursor.failure());
 * }
 * }</pre>
 *
 * <p>The cursor reads records of magic 2 as Kafka's {@code PartialDefaultRecord} does. It makes no
 * check but those that reading needs, and those of the limits.
 *
 * <p>Before {@link #open}, the cursor is on an empty batch: {@link #next} returns false, {@link
 * #finish} true, {@link #index} -1, {@link #failure} and {@link #cause} null, everything else 0.
 * The fields of a record, from {@link #start} on, have a meaning only while {@link #next} returns
 * true.
 *
 * <p>Failures: whatever the bytes are and whatever the stream throws, {@code Error}s included,
 * becomes the {@link #failure()}. The stream belongs to the caller, who closes it.
 *
 * <p>Never allocates after construction, except what the stream allocates. Not thread-safe.
 */
public final class RecordCursor {
  private final InputStreamDecoder decoder = new InputStreamDecoder();
  private final ByteWindow window = new ByteWindow();
  private final SkipKeyValueIterator records = new SkipKeyValueIterator();

  /** Creates a cursor on an empty batch. */
  public RecordCursor() {
    open(InputStream.nullInputStream(), 0, Limits.UNBOUNDED_AS_KAFKA);
    decoder.release();
  }

  /**
   * Starts on the records of a batch.
   *
   * @param plain the plain bytes of the batch after its header; the cursor reads ahead by up to 2
   *     KB
   * @param recordCount how many records the header declares; a negative number is a fault
   * @param limits the limits; those of ratio, codec memory and rebuilt bytes have no meaning here
   */
  public void open(InputStream plain, int recordCount, Limits limits) {
    decoder.open(plain, window, limits.plainBytes());
    records.open(window, recordCount, limits);
  }

  /**
   * Moves to the next record.
   *
   * @return false after the last declared record and after a fault; {@link #finish()} tells which
   */
  public boolean next() {
    return records.next();
  }

  /**
   * Ends the batch and lets go of the stream.
   *
   * @return true if all declared records were read and no bytes follow them
   */
  public boolean finish() {
    boolean readable = records.finish();
    decoder.release();
    return readable;
  }

  /** {@return the first fault, or null} */
  public @Nullable Reason failure() {
    return records.failure();
  }

  /** {@return what the stream threw, if that is the fault; otherwise null} */
  public @Nullable Throwable cause() {
    return records.fault().cause();
  }

  /** {@return the index of the record, from 0; -1 before the first} */
  public int index() {
    return records.index();
  }

  /** {@return the position of the record in the plain bytes, from 0} */
  public long start() {
    return records.start();
  }

  /** {@return the offset of the record minus the batch's base offset} */
  public int offsetDelta() {
    return records.offsetDelta();
  }

  /** {@return the timestamp of the record minus the batch's base timestamp, in milliseconds} */
  public long timestampDelta() {
    return records.timestampDelta();
  }

  /** {@return the size of the key in bytes; negative if there is no key} */
  public int keySize() {
    return records.keySize();
  }

  /** {@return the size of the value in bytes; negative if there is no value} */
  public int valueSize() {
    return records.valueSize();
  }

  /** {@return how many headers the record has} */
  public int headerCount() {
    return records.headerCount();
  }
}
