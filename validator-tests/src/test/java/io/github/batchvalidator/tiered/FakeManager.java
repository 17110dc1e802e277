// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.jspecify.annotations.Nullable;

/** A manager that records the calls that reach it. */
public final class FakeManager implements RemoteStorageManager, Monitorable {
  static final CustomMetadata CUSTOM = new CustomMetadata(new byte[] {1, 2, 3});

  private Calls calls = new Calls();

  /** The calls of one manager, shared with the test by a setting. */
  public static final class Calls {
    private final List<List<Object>> all = new ArrayList<>();
    private @Nullable RemoteStorageException failure;

    /** Returns each call: the name of the method and its arguments. */
    public List<List<Object>> all() {
      return all;
    }

    /** Makes all calls that may fail throw an exception, or none for null. */
    void failWith(@Nullable RemoteStorageException why) {
      failure = why;
    }

    private void add(Object... call) throws RemoteStorageException {
      all.add(List.of(call));
      RemoteStorageException why = failure;
      if (why != null) {
        throw why;
      }
    }
  }

  /** Returns the settings of a wrapper around a manager of this class. */
  public static Map<String, Object> settings(Calls calls, String mode) {
    return Map.of(
        "batchvalidator.tiered.class",
        FakeManager.class.getName(),
        "batchvalidator.tiered.mode",
        mode,
        "calls",
        calls,
        "broker.id",
        7);
  }

  @Override
  public void configure(Map<String, ?> configs) {
    calls = (Calls) Objects.requireNonNull(configs.get("calls"));
    calls.all.add(List.of("configure", Map.copyOf(configs)));
  }

  @Override
  public void withPluginMetrics(PluginMetrics metrics) {
    calls.all.add(List.of("withPluginMetrics", metrics));
  }

  @Override
  public Optional<CustomMetadata> copyLogSegmentData(
      RemoteLogSegmentMetadata metadata, LogSegmentData data) throws RemoteStorageException {
    calls.add("copyLogSegmentData", metadata, data);
    return Optional.of(CUSTOM);
  }

  @Override
  public InputStream fetchLogSegment(RemoteLogSegmentMetadata metadata, int startPosition)
      throws RemoteStorageException {
    calls.add("fetchLogSegment", metadata, startPosition);
    return new ByteArrayInputStream(new byte[1]);
  }

  @Override
  public InputStream fetchLogSegment(
      RemoteLogSegmentMetadata metadata, int startPosition, int endPosition)
      throws RemoteStorageException {
    calls.add("fetchLogSegment", metadata, startPosition, endPosition);
    return new ByteArrayInputStream(new byte[2]);
  }

  @Override
  public InputStream fetchIndex(RemoteLogSegmentMetadata metadata, IndexType indexType)
      throws RemoteStorageException {
    calls.add("fetchIndex", metadata, indexType);
    return new ByteArrayInputStream(new byte[3]);
  }

  @Override
  public void deleteLogSegmentData(RemoteLogSegmentMetadata metadata)
      throws RemoteStorageException {
    calls.add("deleteLogSegmentData", metadata);
  }

  @Override
  public void close() {
    calls.all.add(List.of("close"));
  }
}
