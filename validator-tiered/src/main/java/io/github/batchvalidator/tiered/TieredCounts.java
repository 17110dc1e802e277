// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counts of the wrapper. Thread-safe. */
final class TieredCounts implements TieredMXBean {
  private static final Logger LOG = LoggerFactory.getLogger(TieredCounts.class);

  private final TieredSettings settings;
  private final AuditedUploads uploads;
  private final Map<String, Long> faultsByReason = new TreeMap<>();
  private final Map<String, Long> foundByReason = new TreeMap<>();
  private long sound;
  private long damaged;
  private long incomplete;
  private long refused;
  private long auditedBytes;
  private long auditNanos;
  private String lastFault = "";
  private boolean registered;

  TieredCounts(TieredSettings settings, AuditedUploads uploads) {
    this.settings = settings;
    this.uploads = uploads;
  }

  /** Counts an audit. */
  synchronized void audited(UploadFindings found, long nanos) {
    auditedBytes += found.bytes();
    auditNanos += nanos;
    found.history().forEach((reason, count) -> foundByReason.merge(reason, count, Long::sum));
    if (found.isDamaged()) {
      damaged++;
      lastFault = found.text();
      found.reasons().forEach((reason, count) -> faultsByReason.merge(reason, count, Long::sum));
    } else if (found.error() != null) {
      incomplete++;
    } else {
      sound++;
    }
  }

  /** Counts a refused call. */
  synchronized void refused() {
    refused++;
  }

  /** Registers the bean. Two managers in one JVM share the bean of the first. */
  synchronized void register() {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(this, new ObjectName(NAME));
      registered = true;
    } catch (InstanceAlreadyExistsException e) {
      LOG.warn("{} is registered already, perhaps by another manager", NAME);
    } catch (JMException | SecurityException e) {
      LOG.warn("{} cannot be registered", NAME, e);
    }
  }

  synchronized void unregister() {
    if (!registered) {
      return;
    }
    registered = false;
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    } catch (JMException | SecurityException e) {
      LOG.warn("{} cannot be removed", NAME, e);
    }
  }

  @Override
  public String getManager() {
    return settings.manager();
  }

  @Override
  public String getMode() {
    return settings.mode().text();
  }

  @Override
  public synchronized long getSound() {
    return sound;
  }

  @Override
  public synchronized long getDamaged() {
    return damaged;
  }

  @Override
  public synchronized long getIncomplete() {
    return incomplete;
  }

  @Override
  public synchronized long getRefused() {
    return refused;
  }

  @Override
  public int getDamagedSegments() {
    return uploads.damaged();
  }

  @Override
  public synchronized Map<String, Long> getFaultsByReason() {
    return new TreeMap<>(faultsByReason);
  }

  @Override
  public synchronized Map<String, Long> getFoundByReason() {
    return new TreeMap<>(foundByReason);
  }

  @Override
  public synchronized long getAuditedBytes() {
    return auditedBytes;
  }

  @Override
  public synchronized long getAuditMs() {
    return TimeUnit.NANOSECONDS.toMillis(auditNanos);
  }

  @Override
  public synchronized String getLastFault() {
    return lastFault;
  }
}
