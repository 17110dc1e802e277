// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A storage manager that audits each segment before the manager that it wraps uploads the segment.
 * All other calls are passed on.
 *
 * <p>A refusal is a plain {@link RemoteStorageException}: Kafka counts it as a failed upload and
 * cleans up after it. It would do neither after a {@code RetriableRemoteStorageException}. Kafka
 * retries after both.
 *
 * <p>Thread-safe, as far as the wrapped manager is.
 */
public class AuditingStorageManager implements RemoteStorageManager {
  private static final Logger LOG = LoggerFactory.getLogger(AuditingStorageManager.class);

  private final UploadAudit audit = new UploadAudit();
  private volatile @Nullable Wrapped wrapped;

  /** The parts that exist once the settings are known. */
  private record Wrapped(
      RemoteStorageManager manager, Mode mode, AuditedUploads uploads, TieredCounts counts) {}

  /** Creates a manager, to be configured. */
  public AuditingStorageManager() {}

  @Override
  public void configure(Map<String, ?> configs) {
    TieredSettings settings = TieredSettings.read(configs);
    RemoteStorageManager manager = create(settings.manager());
    manager.configure(settings.passed());
    AuditedUploads uploads = new AuditedUploads(settings.recheckMs(), System::nanoTime);
    TieredCounts counts = new TieredCounts(settings, uploads);
    counts.register();
    wrapped = new Wrapped(manager, settings.mode(), uploads, counts);
    LOG.info(
        "Batch Validator audits segments before {} uploads them, mode {}",
        settings.manager(),
        settings.mode().text());
  }

  /**
   * Creates the manager to wrap. Its class comes from the loader of this class, so that both share
   * one class path.
   */
  private static RemoteStorageManager create(String name) {
    try {
      Class<?> type = Class.forName(name, true, AuditingStorageManager.class.getClassLoader());
      if (AuditingStorageManager.class.isAssignableFrom(type)) {
        throw wrong(name, "names the wrapper itself", null);
      }
      return type.asSubclass(RemoteStorageManager.class).getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw wrong(name, "is not on the class path of " + AuditingStorageManager.class, e);
    } catch (ClassCastException e) {
      throw wrong(name, "is no RemoteStorageManager", e);
    } catch (ReflectiveOperationException e) {
      throw wrong(name, "cannot be created: " + e, e);
    }
  }

  private static ConfigException wrong(String name, String why, @Nullable Throwable cause) {
    ConfigException thrown = new ConfigException(TieredSettings.MANAGER, name, why);
    thrown.initCause(cause);
    return thrown;
  }

  private Wrapped wrapped() {
    Wrapped configured = wrapped;
    if (configured == null) {
      throw new IllegalStateException("not configured");
    }
    return configured;
  }

  /** Returns the wrapped manager. */
  final RemoteStorageManager manager() {
    return wrapped().manager();
  }

  @Override
  public Optional<CustomMetadata> copyLogSegmentData(
      RemoteLogSegmentMetadata metadata, LogSegmentData data) throws RemoteStorageException {
    Wrapped configured = wrapped();
    if (configured.mode() != Mode.OFF) {
      examine(configured, metadata, data);
    }
    Optional<CustomMetadata> custom = configured.manager().copyLogSegmentData(metadata, data);
    configured.uploads().uploaded(data.logSegment());
    return custom;
  }

  private void examine(Wrapped configured, RemoteLogSegmentMetadata metadata, LogSegmentData data)
      throws RemoteStorageException {
    UploadFindings found = findings(configured, metadata, data);
    boolean isComplete = found.error() == null;
    if (configured.mode() == Mode.ENFORCE && (found.isDamaged() || !isComplete)) {
      String why =
          found.isDamaged()
              ? "The segment is damaged and is not uploaded: " + found.text()
              : "The segment cannot be audited and is not uploaded: " + found.error();
      configured.counts().refused();
      UploadEvents.refused(data.logSegment(), found, why);
      throw new RemoteStorageException(why);
    }
  }

  /** Returns the result of an audit, or of an earlier one if the files are the same. */
  private UploadFindings findings(
      Wrapped configured, RemoteLogSegmentMetadata metadata, LogSegmentData data)
      throws RemoteStorageException {
    Path segment = data.logSegment();
    UploadState state = UploadState.of(metadata, data);
    UploadFindings known = state == null ? null : configured.uploads().find(segment, state);
    if (known != null) {
      return known;
    }
    long start = System.nanoTime();
    UploadFindings found = audit.audit(metadata, data);
    if (!found.isDamaged() && found.error() != null && Thread.currentThread().isInterrupted()) {
      LOG.info("Kafka cancelled the upload of {} during its audit", segment);
      throw new RemoteStorageException("The upload was cancelled during its audit");
    }
    configured.counts().audited(found, System.nanoTime() - start);
    log(configured.mode(), segment, found);
    if (state != null && (found.error() == null || found.isDamaged())) {
      configured.uploads().add(segment, state, found);
    }
    return found;
  }

  private static void log(Mode mode, Path segment, UploadFindings found) {
    String effect = mode == Mode.ENFORCE ? "is not uploaded" : "is uploaded all the same";
    if (found.isDamaged()) {
      LOG.error("Segment {} is damaged and {}: {}", segment, effect, found.text());
    } else if (found.error() != null) {
      LOG.error("Segment {} cannot be audited and {}: {}", segment, effect, found.error());
    }
  }

  @Override
  public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition)
      throws RemoteStorageException {
    return manager().fetchLogSegment(metadata, startPosition);
  }

  @Override
  public InputStream fetchLogSegment(
      RemoteLogSegmentMetadata metadata, int startPosition, int endPosition)
      throws RemoteStorageException {
    return manager().fetchLogSegment(metadata, startPosition, endPosition);
  }

  @Override
  public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType indexType)
      throws RemoteStorageException {
    return manager().fetchIndex(metadata, indexType);
  }

  @Override
  public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata)
      throws RemoteStorageException {
    manager().deleteLogSegmentData(metadata);
  }

  @Override
  public void close() throws IOException {
    Wrapped configured = wrapped;
    if (configured != null) {
      configured.counts().unregister();
      configured.manager().close();
    }
  }
}
