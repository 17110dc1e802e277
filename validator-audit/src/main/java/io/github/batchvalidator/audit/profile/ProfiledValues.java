// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.profile;

import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * How often each value of a property occurs in the records of a topic, in how many batches, and
 * where first. Holds a bounded number of values.
 */
public final class ProfiledValues implements Serializable {
  private static final long serialVersionUID = 1;

  /** More values are counted together. */
  public static final int MOST_VALUES = 1000;

  /** The name of the values that are counted together. */
  public static final String OTHERS = "(others)";

  /**
   * The place of a batch.
   *
   * @param file the name of the segment
   * @param position of the batch in the segment, in bytes
   * @param offset of the first record of the batch
   */
  public record Place(String file, long position, long offset) implements Serializable {}

  /** The occurrences of one value. */
  public static final class Occurrences implements Serializable {
    private static final long serialVersionUID = 1;

    private final String value;
    private final Place first;
    private long records;
    private long batches;
    private Place last;

    Occurrences(String value, Place first) {
      this.value = value;
      this.first = first;
      last = first;
    }

    private void add(Occurrences other) {
      records += other.records;
      batches += other.batches;
      last = other.last;
    }

    String value() {
      return value;
    }

    long records() {
      return records;
    }

    long batches() {
      return batches;
    }

    Place first() {
      return first;
    }
  }

  private final TreeMap<String, Occurrences> values = new TreeMap<>();

  /** Adds a record of a batch. Batches are added one after the other. */
  public void add(String value, Place batch) {
    boolean isKnown = values.containsKey(value) || values.size() < MOST_VALUES;
    Occurrences found =
        values.computeIfAbsent(isKnown ? value : OTHERS, name -> new Occurrences(name, batch));
    found.records++;
    if (found.batches == 0 || !found.last.equals(batch)) {
      found.batches++;
      found.last = batch;
    }
  }

  /** Adds the values of batches that follow those so far. */
  void add(ProfiledValues others) {
    others.values.forEach(
        (value, other) -> {
          boolean isKnown = values.containsKey(value) || values.size() < MOST_VALUES;
          values
              .computeIfAbsent(isKnown ? value : OTHERS, name -> new Occurrences(name, other.first))
              .add(other);
        });
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** Returns all values, the most frequent one first. */
  public List<Occurrences> byFrequency() {
    return values.values().stream()
        .sorted(Comparator.comparingLong(Occurrences::records).reversed())
        .toList();
  }

  /** Returns how many records have a value. */
  public long records(String value) {
    Occurrences found = values.get(value);
    return found == null ? 0 : found.records;
  }
}
