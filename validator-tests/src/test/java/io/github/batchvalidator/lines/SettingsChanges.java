// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.testing.Batches;
import java.util.List;
import java.util.Random;

/** Changes one or two settings. */
final class SettingsChanges {
  private static final long[] SPANS = {Long.MAX_VALUE, Long.MAX_VALUE, 1000, 100, 0};
  private static final long[] FIRST = {0, 1000, Long.MAX_VALUE - 2, Long.MAX_VALUE, -2, 1L << 31};
  private static final String[] ORIGINS = {"CLIENT", "COORDINATOR", "REPLICATION", "RAFT_LEADER"};
  private static final int[] LIMITS = {Settings.NO_LIMIT, 0, 7, 20, 60, 500, Integer.MAX_VALUE - 8};

  private static final List<Codec> CODECS = List.of(Codec.values());

  private final Random random;

  SettingsChanges(Random random) {
    this.random = random;
  }

  /** Returns settings whose source codec is the one given. */
  static Settings source(Settings s, Codec source) {
    return new Fields(s).source(source).toSettings();
  }

  /** Returns settings with another limit of a record, for the lines that have one. */
  static Settings recordLimit(Settings s, int bytes) {
    Fields fields = new Fields(s);
    fields.recordLimit = bytes;
    return fields.toSettings();
  }

  /** Returns settings of a topic that wants keys. */
  static Settings compacted(Settings s) {
    Fields fields = new Fields(s);
    fields.compacted = true;
    return fields.toSettings();
  }

  /** Returns settings of a topic that takes timestamps of so many milliseconds around now. */
  static Settings window(Settings s, long beforeMs, long afterMs) {
    Fields fields = new Fields(s);
    fields.beforeMs = beforeMs;
    fields.afterMs = afterMs;
    return fields.toSettings();
  }

  /**
   * Returns settings whose entry is one that the main entry would call too: the others differ from
   * it only if they are called for what they are not meant for.
   */
  static Settings asCalled(Settings s, byte[] bytes) {
    boolean plain = s.source() == Codec.NONE && s.target() == Codec.NONE;
    boolean inPlace =
        plain && StoredBytes.spans(bytes).stream().allMatch(span -> span.magic() == s.toMagic());
    boolean meant =
        switch (s.entry()) {
          case VALIDATE -> true;
          case NON_COMPRESSED -> inPlace;
          case COMPRESSED -> !plain;
        };
    Fields fields = new Fields(s);
    fields.entry = meant ? s.entry() : Settings.Entry.VALIDATE;
    return fields.toSettings();
  }

  /** Returns settings with another entry. */
  static Settings entry(Settings s, Settings.Entry entry) {
    Fields fields = new Fields(s);
    fields.entry = entry;
    return fields.toSettings();
  }

  /** Returns settings of an append that comes from somewhere else. */
  static Settings origin(Settings s, String origin) {
    Fields fields = new Fields(s);
    fields.origin = origin;
    return fields.toSettings();
  }

  /** Returns settings of a topic that keeps another type of timestamp. */
  static Settings type(Settings s, TimestampType type) {
    Fields fields = new Fields(s);
    fields.type = type;
    return fields.toSettings();
  }

  /** Returns settings of a topic that stores another codec and magic. */
  static Settings target(Settings s, Codec target, int toMagic) {
    Fields fields = new Fields(s);
    fields.target(target);
    fields.toMagic = (byte) toMagic;
    return fields.toSettings();
  }

  /** Returns the same settings, or with one or two of them changed. */
  Settings vary(Settings settings) {
    Fields fields = new Fields(settings);
    for (int changes = random.nextInt(3); changes > 0; changes--) {
      change(fields);
    }
    return fields.toSettings();
  }

  private void change(Fields fields) {
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> fields.target(CODECS.get(random.nextInt(CODECS.size())));
      case 3 -> fields.toMagic = (byte) random.nextInt(3);
      case 4 ->
          fields.type =
              random.nextBoolean() ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
      case 5 -> {
        fields.beforeMs = SPANS[random.nextInt(SPANS.length)];
        fields.afterMs = SPANS[random.nextInt(SPANS.length)];
      }
      case 6 -> fields.nowMs = Batches.nowMs() + random.nextInt(400) - 200;
      case 7 -> fields.compacted = !fields.compacted;
      case 8 -> fields.origin = ORIGINS[random.nextInt(ORIGINS.length)];
      case 9 -> fields.firstOffset = FIRST[random.nextInt(FIRST.length)];
      case 10 -> fields.recordLimit = LIMITS[random.nextInt(LIMITS.length)];
      default -> fields.target(fields.source);
    }
  }

  /** Settings that can be written to. */
  private static final class Fields {
    private final Settings from;
    private Settings.Entry entry;
    private Codec source;
    private Codec target;
    private int level;
    private byte toMagic;
    private TimestampType type;
    private long beforeMs;
    private long afterMs;
    private long nowMs;
    private boolean compacted;
    private String origin;
    private long firstOffset;
    private int recordLimit;

    Fields(Settings from) {
      this.from = from;
      entry = from.entry();
      source = from.source();
      target = from.target();
      level = from.level();
      toMagic = from.toMagic();
      type = from.type();
      beforeMs = from.beforeMs();
      afterMs = from.afterMs();
      nowMs = from.nowMs();
      compacted = from.compacted();
      origin = from.origin();
      firstOffset = from.firstOffset();
      recordLimit = from.recordLimit();
    }

    Fields source(Codec codec) {
      source = codec;
      return this;
    }

    void target(Codec codec) {
      target = codec;
      level = Settings.DEFAULT_LEVEL;
    }

    Settings toSettings() {
      return new Settings(
          entry,
          source,
          target,
          level,
          toMagic,
          type,
          beforeMs,
          afterMs,
          nowMs,
          compacted,
          origin,
          from.leaderEpoch(),
          firstOffset,
          recordLimit,
          from.oldBrokers(),
          from.caching());
    }
  }
}
