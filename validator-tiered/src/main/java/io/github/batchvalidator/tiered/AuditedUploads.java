// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The results of recent audits, so that a retry does not read the same gigabyte again. Thread-safe.
 */
final class AuditedUploads {
  /**
   * The maximum number of results, each of about 1 KB. A broker tries one segment per partition,
   * and all partitions may wait at once.
   */
  private static final int CAPACITY = 100_000;

  /** A result that no retry has asked for in this time no longer counts as refused. */
  private static final long STALE_NANOS = TimeUnit.MINUTES.toNanos(15);

  private final Map<Path, Audited> results = new LinkedHashMap<>();
  private final long validNanos;
  private final LongSupplier nanoClock;

  private static final class Audited {
    private final UploadState state;
    private final UploadFindings findings;
    private final long auditedAt;
    private long askedAt;

    private Audited(UploadState state, UploadFindings findings, long now) {
      this.state = state;
      this.findings = findings;
      auditedAt = now;
      askedAt = now;
    }
  }

  /**
   * Creates an empty collection.
   *
   * @param validMs the time after which a segment is audited again, because damage may be in memory
   *     rather than on disk
   * @param nanoClock the time in nanoseconds
   */
  AuditedUploads(long validMs, LongSupplier nanoClock) {
    validNanos = TimeUnit.MILLISECONDS.toNanos(validMs);
    this.nanoClock = nanoClock;
  }

  /** Returns the result of an upload that is in the same state as when it was audited, or null. */
  synchronized @Nullable UploadFindings find(Path segment, UploadState state) {
    Audited known = results.get(segment);
    long now = nanoClock.getAsLong();
    if (known == null || !known.state.equals(state) || now - known.auditedAt >= validNanos) {
      return null;
    }
    known.askedAt = now;
    return known.findings;
  }

  /** Remembers a result, and drops those that are too old or too many. */
  synchronized void add(Path segment, UploadState state, UploadFindings findings) {
    long now = nanoClock.getAsLong();
    results.remove(segment);
    results.put(segment, new Audited(state, findings, now));
    Iterator<Audited> oldest = results.values().iterator();
    while (isOver(oldest.next(), now) || results.size() > CAPACITY) {
      oldest.remove();
    }
  }

  /** Returns true if a result is stale even if retries asked for it while it was valid. */
  private boolean isOver(Audited result, long now) {
    return now - result.auditedAt - STALE_NANOS >= validNanos;
  }

  /** Forgets a sound segment that is uploaded. A damaged one counts until it is stale. */
  synchronized void uploaded(Path segment) {
    Audited known = results.get(segment);
    if (known != null && !known.findings.isDamaged()) {
      results.remove(segment);
    }
  }

  /** Returns the number of damaged segments that the broker has tried to upload recently. */
  synchronized int damaged() {
    long now = nanoClock.getAsLong();
    int damaged = 0;
    for (Audited each : results.values()) {
      damaged += each.findings.isDamaged() && now - each.askedAt < STALE_NANOS ? 1 : 0;
    }
    return damaged;
  }
}
