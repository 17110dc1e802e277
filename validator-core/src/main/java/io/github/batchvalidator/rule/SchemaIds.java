// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A set of schema ids that a topic allows: ids of 4 bytes and GUIDs as Confluent's serializers
 * write them, and global ids of 8 bytes as Apicurio's serializers write them.
 *
 * <pre>{@code
 * SchemaIds ids = SchemaIds.builder().ids(17, 17).ids(100, 199).build();
 * ids.allowsId(150); // true
 * }</pre>
 *
 * <p>A look-up takes logarithmic time and allocates nothing. The set takes 8 bytes per single id
 * and 16 bytes per range of ids and per GUID. Immutable and safe for use by multiple threads.
 */
public final class SchemaIds {
  /** Every id of every form. */
  public static final SchemaIds ANY = new SchemaIds(new Builder());

  /** The maximum number of single ids, ranges of ids and GUIDs of a set. */
  public static final int MAX_ENTRIES = 4_000_000;

  private final Numbers ids;
  private final Numbers globalIds;

  /** The high and low halves of GUIDs, sorted as unsigned numbers. */
  private final long[] guidHigh;

  private final long[] guidLow;
  private final boolean any;

  private SchemaIds(Builder builder) {
    ids = builder.ids.copy();
    globalIds = builder.globalIds.copy();
    UUID[] guids = builder.guids.toArray(UUID[]::new);
    Arrays.sort(guids, SchemaIds::compare);
    guidHigh = Arrays.stream(guids).mapToLong(UUID::getMostSignificantBits).toArray();
    guidLow = Arrays.stream(guids).mapToLong(UUID::getLeastSignificantBits).toArray();
    any = builder.entries() == 0;
  }

  private static int compare(UUID one, UUID two) {
    int high = Long.compareUnsigned(one.getMostSignificantBits(), two.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(one.getLeastSignificantBits(), two.getLeastSignificantBits());
  }

  /** {@return a builder of an empty set} A set without any entry allows every id. */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return true if every id is allowed} */
  public boolean isAny() {
    return any;
  }

  /**
   * {@return true if the set allows an id of 4 bytes}
   *
   * @param id the id, as an unsigned number
   */
  public boolean allowsId(int id) {
    return any || ids.contains(Integer.toUnsignedLong(id));
  }

  /**
   * {@return true if the set allows a global id of 8 bytes}
   *
   * @param id the id
   */
  public boolean allowsGlobalId(long id) {
    return any || globalIds.contains(id);
  }

  /**
   * {@return true if the set allows a GUID}
   *
   * @param high its first 8 bytes, big-endian
   * @param low its last 8 bytes
   */
  public boolean allowsGuid(long high, long low) {
    int from = 0;
    int to = guidHigh.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      int order = Long.compareUnsigned(guidHigh[middle], high);
      order = order != 0 ? order : Long.compareUnsigned(guidLow[middle], low);
      if (order == 0) {
        return true;
      }
      from = order < 0 ? middle + 1 : from;
      to = order < 0 ? to : middle;
    }
    return any;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SchemaIds set
        && ids.equals(set.ids)
        && globalIds.equals(set.globalIds)
        && Arrays.equals(guidHigh, set.guidHigh)
        && Arrays.equals(guidLow, set.guidLow);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * ids.hashCode() + globalIds.hashCode()) + Arrays.hashCode(guidLow);
  }

  /** {@return the numbers of entries, such as {@code 3 ids, 1 GUIDs, 0 global ids}} */
  @Override
  public String toString() {
    return any
        ? "any"
        : ids.entries()
            + " ids, "
            + guidHigh.length
            + " GUIDs, "
            + globalIds.entries()
            + " global ids";
  }

  /** Single numbers and ranges of numbers. */
  private static final class Numbers {
    private static final int FIRST_ROOM = 16;

    private long[] singles = {};
    private int count;
    private final ArrayList<long[]> added = new ArrayList<>();
    private long[] starts = {};
    private long[] ends = {};

    void add(long first, long last) {
      if (first < last) {
        added.add(new long[] {first, last});
        return;
      }
      if (count == singles.length) {
        singles = Arrays.copyOf(singles, Math.max(FIRST_ROOM, 2 * count));
      }
      singles[count++] = first;
    }

    int entries() {
      return count + added.size() + starts.length;
    }

    /** Returns a sorted copy. */
    Numbers copy() {
      Numbers copy = new Numbers();
      copy.singles = Arrays.copyOf(singles, count);
      copy.count = count;
      Arrays.sort(copy.singles);
      copy.added.addAll(added);
      copy.added.sort((one, two) -> Long.compare(one[0], two[0]));
      copy.merge();
      return copy;
    }

    private void merge() {
      long[] from = new long[added.size()];
      long[] to = new long[added.size()];
      int merged = 0;
      for (long[] range : added) {
        if (merged > 0 && range[0] <= to[merged - 1]) {
          to[merged - 1] = Math.max(to[merged - 1], range[1]);
        } else {
          from[merged] = range[0];
          to[merged++] = range[1];
        }
      }
      starts = Arrays.copyOf(from, merged);
      ends = Arrays.copyOf(to, merged);
      added.clear();
      added.trimToSize();
    }

    boolean contains(long id) {
      if (Arrays.binarySearch(singles, id) >= 0) {
        return true;
      }
      int at = Arrays.binarySearch(starts, id);
      int range = at >= 0 ? at : -at - 2; // the last range that starts at or before the id
      return range >= 0 && id <= ends[range];
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Numbers numbers
          && Arrays.equals(singles, numbers.singles)
          && Arrays.equals(starts, numbers.starts)
          && Arrays.equals(ends, numbers.ends);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(singles) + Arrays.hashCode(starts);
    }
  }

  /** A builder of {@link SchemaIds}. Not thread-safe. */
  public static final class Builder {
    private static final long LARGEST_ID = (1L << Integer.SIZE) - 1;

    private final Numbers ids = new Numbers();
    private final Numbers globalIds = new Numbers();
    private final List<UUID> guids = new ArrayList<>();

    private Builder() {}

    /**
     * Adds a range of ids of 4 bytes.
     *
     * @param first the first id, at least 0
     * @param last the last id, at most 2^32 - 1
     * @return this builder
     */
    public Builder ids(long first, long last) {
      return add(ids, first, last, LARGEST_ID);
    }

    /**
     * Adds a range of global ids of 8 bytes.
     *
     * @param first the first id, at least 0
     * @param last the last id
     * @return this builder
     */
    public Builder globalIds(long first, long last) {
      return add(globalIds, first, last, Long.MAX_VALUE);
    }

    /**
     * Adds a GUID.
     *
     * @param guid the GUID
     * @return this builder
     */
    public Builder guid(UUID guid) {
      guids.add(guid);
      return checked();
    }

    private Builder add(Numbers to, long first, long last, long most) {
      if (first < 0 || first > last || last > most) {
        throw new IllegalArgumentException("no range of ids: " + first + " to " + last);
      }
      to.add(first, last);
      return checked();
    }

    private Builder checked() {
      if (entries() > MAX_ENTRIES) {
        throw new IllegalArgumentException("more than " + MAX_ENTRIES + " schema ids");
      }
      return this;
    }

    /** {@return the number of single ids, ranges and GUIDs added so far} */
    public int entries() {
      return ids.entries() + globalIds.entries() + guids.size();
    }

    /** {@return the set} */
    public SchemaIds build() {
      return new SchemaIds(this);
    }
  }
}
