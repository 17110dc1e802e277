// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.testing.Proxies;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.server.log.remote.storage.LogSegmentData;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager.IndexType;
import org.apache.kafka.server.log.remote.storage.RetriableRemoteStorageException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The wrapper passes calls on, and refuses damaged segments. */
class AuditingStorageManagerTest {
  @TempDir private Path data;

  private final FakeManager.Calls calls = new FakeManager.Calls();
  private AuditingStorageManager manager = new AuditingStorageManager();
  private Path partition = Path.of("none");
  private ClosedSegment segment;

  @BeforeEach
  void write() throws IOException {
    partition = SampleLog.write(data);
    segment = ClosedSegment.list(partition).get(1);
  }

  @AfterEach
  void close() throws IOException {
    manager.close();
  }

  private void start(String mode, String... more) {
    Map<String, Object> settings = new HashMap<>(FakeManager.settings(calls, mode));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    manager.configure(settings);
    calls.all().clear();
  }

  /** Changes a byte of the last batch, or changes it back. */
  private void flip() throws IOException {
    Path log = segment.file(partition, "log");
    byte[] bytes = Files.readAllBytes(log);
    bytes[bytes.length - 1] ^= 1;
    Files.write(log, bytes);
  }

  private Optional<?> upload() throws RemoteStorageException {
    return manager.copyLogSegmentData(segment.metadata(), segment.data(partition));
  }

  private static TieredMXBean bean() throws Exception {
    return JMX.newMXBeanProxy(
        ManagementFactory.getPlatformMBeanServer(),
        new ObjectName(TieredMXBean.NAME),
        TieredMXBean.class);
  }

  // ---- passing on

  static Stream<Method> methods() {
    return Arrays.stream(RemoteStorageManager.class.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> !List.of("configure", "close").contains(method.getName()));
  }

  private Object[] arguments(Method method) {
    List<Object> arguments = new ArrayList<>();
    for (Class<?> type : method.getParameterTypes()) {
      if (type == RemoteLogSegmentMetadata.class) {
        arguments.add(segment.metadata());
      } else if (type == LogSegmentData.class) {
        arguments.add(segment.data(partition));
      } else if (type == int.class) {
        arguments.add(10 + arguments.size());
      } else if (type == IndexType.class) {
        arguments.add(IndexType.TRANSACTION);
      } else {
        throw new AssertionError("a new parameter of Kafka: " + method);
      }
    }
    return arguments.toArray();
  }

  /** A method that a newer Kafka adds with a default would otherwise not reach the manager. */
  @ParameterizedTest
  @MethodSource("methods")
  void eachMethodOfTheInterfaceIsOverridden(Method method) throws Exception {
    Method ours =
        AuditingStorageManager.class.getMethod(method.getName(), method.getParameterTypes());
    assertEquals(AuditingStorageManager.class, ours.getDeclaringClass());
  }

  @ParameterizedTest
  @MethodSource("methods")
  void eachCallReachesTheManagerWithTheSameArguments(Method method) throws Exception {
    start("enforce");
    Object[] arguments = arguments(method);
    Object result = method.invoke(manager, arguments);
    List<Object> call = new ArrayList<>(List.of(method.getName()));
    call.addAll(List.of(arguments));
    assertEquals(List.of(call), calls.all());
    if (result instanceof InputStream in) {
      boolean isIndex = method.getName().equals("fetchIndex");
      assertEquals(isIndex ? 3 : method.getParameterCount() - 1, in.available());
    } else if (result != null) {
      assertSame(FakeManager.CUSTOM, ((Optional<?>) result).orElseThrow());
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void anExceptionOfTheManagerIsPassedOn(Method method) throws Exception {
    start("enforce");
    RemoteStorageException failure = new RetriableRemoteStorageException("the storage is away");
    calls.failWith(failure);
    InvocationTargetException thrown =
        assertThrows(
            InvocationTargetException.class, () -> method.invoke(manager, arguments(method)));
    assertSame(failure, thrown.getCause());
  }

  @Test
  void theManagerIsConfiguredWithoutOurSettings() {
    manager.configure(FakeManager.settings(calls, "observe"));
    assertEquals(
        List.of(List.of("configure", Map.of("calls", calls, "broker.id", 7))), calls.all());
  }

  @Test
  void theManagerIsClosed() throws Exception {
    start("enforce");
    manager.close();
    assertEquals(List.of(List.of("close")), calls.all());
    manager = new AuditingStorageManager();
  }

  @Test
  void theCheckpointInMemoryIsNotConsumed() throws Exception {
    start("enforce");
    LogSegmentData files = segment.data(partition);
    ByteBuffer epochs = files.leaderEpochIndex();
    int bytes = epochs.remaining();
    manager.copyLogSegmentData(segment.metadata(), files);
    assertEquals(bytes, epochs.remaining());
  }

  @Test
  void metricsOfAMonitorableManagerArrive() {
    MonitorableStorageManager monitorable = new MonitorableStorageManager();
    manager = monitorable;
    start("enforce");
    PluginMetrics metrics =
        Proxies.of(
            PluginMetrics.class,
            (proxy, method, arguments) ->
                method.getName().equals("equals") ? proxy == arguments[0] : 1);
    monitorable.withPluginMetrics(metrics);
    assertSame(metrics, calls.all().get(0).get(1));
  }

  // ---- modes

  @Test
  void enforceRefusesADamagedSegment() throws Exception {
    flip();
    start("enforce");
    RemoteStorageException thrown = assertThrows(RemoteStorageException.class, this::upload);
    assertEquals(RemoteStorageException.class, thrown.getClass(), "not the retriable one");
    assertEquals(List.of(), calls.all());
    assertEquals(1, bean().getRefused());
    assertEquals(1, bean().getDamaged());
    assertEquals(1, bean().getDamagedSegments());
    assertEquals(Map.of("BATCH_CRC_MISMATCH", 1L), bean().getFaultsByReason());
    assertTrue(bean().getLastFault().startsWith("BATCH_CRC_MISMATCH in " + partition));
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "off"})
  void otherModesUploadADamagedSegment(String mode) throws Exception {
    flip();
    start(mode);
    assertTrue(upload().isPresent());
    assertEquals(1, calls.all().size());
    assertEquals(mode.equals("off") ? 0 : 1, bean().getDamaged());
    assertEquals(mode.equals("off") ? 0 : 1, bean().getDamagedSegments());
    assertEquals(0, bean().getRefused());
    assertEquals(mode, bean().getMode());
  }

  /** Nothing is known about the segment, and the next try reads it again. */
  @Test
  void enforceRefusesASegmentThatCannotBeRead() throws Exception {
    start("enforce");
    Path log = segment.file(partition, "log");
    Files.move(log, data.resolve("away"));
    RemoteStorageException thrown = assertThrows(RemoteStorageException.class, this::upload);
    assertTrue(thrown.toString().contains(": The segment cannot be audited"), thrown::toString);
    assertEquals(1, bean().getIncomplete());
    assertEquals(0, bean().getDamagedSegments());
    Files.move(data.resolve("away"), log);
    assertTrue(upload().isPresent());
  }

  /** Kafka renames the directory of a deleted partition before it cancels the upload. */
  @Test
  void aRenamedPartitionIsNoDamage() throws Exception {
    start("enforce");
    Files.move(partition, data.resolve("orders-3.0-delete"));
    RemoteStorageException thrown = assertThrows(RemoteStorageException.class, this::upload);
    assertTrue(thrown.toString().contains(": The segment cannot be audited"), thrown::toString);
    assertEquals(1, bean().getIncomplete());
    assertEquals(0, bean().getDamaged());
    assertEquals(0, bean().getDamagedSegments());
  }

  @ParameterizedTest
  @ValueSource(strings = {"index", "timeindex", "snapshot"})
  void aMissingFileIsDamage(String kind) throws Exception {
    start("enforce");
    Files.delete(segment.file(partition, kind));
    assertThrows(RemoteStorageException.class, this::upload);
    assertEquals(Map.of("TIERED_OBJECT_MISSING", 1L), bean().getFaultsByReason());
  }

  @Test
  void aDamagedSegmentCountsWhateverElseCannotBeRead() throws Exception {
    flip();
    Path index = segment.file(partition, "timeindex");
    Files.delete(index);
    Files.createSymbolicLink(index, index);
    start("enforce");
    assertThrows(RemoteStorageException.class, this::upload);
    assertEquals(1, bean().getDamagedSegments());
  }

  /** Kafka interrupts the thread of a cancelled upload. */
  @Test
  void anInterruptIsNoDamage() throws Exception {
    start("enforce");
    Thread.currentThread().interrupt();
    RemoteStorageException thrown = assertThrows(RemoteStorageException.class, this::upload);
    assertTrue(Thread.interrupted(), "the thread stays interrupted");
    assertTrue(thrown.toString().contains(": The upload was cancelled"), thrown::toString);
    assertEquals(0, bean().getIncomplete());
    assertEquals(0, bean().getRefused());
    assertTrue(upload().isPresent());
  }

  @Test
  void eachRefusalIsAnEventOfTheFlightRecorder() throws Exception {
    flip();
    start("enforce");
    try (Recording recording = new Recording()) {
      recording.enable(RefusedUploadEvent.NAME);
      recording.start();
      assertThrows(RemoteStorageException.class, this::upload);
      RemoteStorageException again = assertThrows(RemoteStorageException.class, this::upload);
      recording.stop();
      Path file = data.resolve("recording.jfr");
      recording.dump(file);
      List<RecordedEvent> events = RecordingFile.readAllEvents(file);
      assertEquals(2, events.size(), events::toString);
      for (RecordedEvent event : events) {
        assertEquals(segment.file(partition, "log").toString(), event.getString("segment"));
        assertEquals("BATCH_CRC_MISMATCH", event.getString("reasons"));
        assertEquals(again.getMessage(), event.getString("message"));
      }
    }
  }

  // ---- retries

  @Test
  void aRetryDoesNotReadTheSegmentAgain() throws Exception {
    flip();
    start("enforce");
    assertThrows(RemoteStorageException.class, this::upload);
    long read = bean().getAuditedBytes();
    assertEquals(Files.size(segment.file(partition, "log")), read);
    assertThrows(RemoteStorageException.class, this::upload);
    assertEquals(read, bean().getAuditedBytes());
    assertEquals(2, bean().getRefused());
    assertEquals(1, bean().getDamaged());
  }

  @Test
  void aRepairedSegmentIsUploaded() throws Exception {
    flip();
    start("enforce");
    assertThrows(RemoteStorageException.class, this::upload);
    flip();
    Path log = segment.file(partition, "log");
    Files.setLastModifiedTime(log, FileTime.fromMillis(System.currentTimeMillis() + 10));
    assertTrue(upload().isPresent());
    assertEquals(0, bean().getDamagedSegments());
  }

  /** Without a repair of the segment itself. */
  @Test
  void aRepairedIndexIsUploaded() throws Exception {
    Path index = segment.file(partition, "timeindex");
    byte[] good = Files.readAllBytes(index);
    Files.write(index, Arrays.copyOf(good, good.length - 1));
    start("enforce");
    assertThrows(RemoteStorageException.class, this::upload);
    Files.write(index, good);
    assertTrue(upload().isPresent());
  }

  @Test
  void anUnchangedSegmentIsReadAgainAfterAWhile() throws Exception {
    flip();
    start("enforce", TieredSettings.RECHECK_MS, "0");
    assertThrows(RemoteStorageException.class, this::upload);
    assertThrows(RemoteStorageException.class, this::upload);
    assertEquals(2, bean().getDamaged());
  }

  /** A storage that is away for an hour would otherwise cost an audit per retry. */
  @Test
  void aSoundSegmentIsNotReadAgainWhileTheStorageIsAway() throws Exception {
    start("enforce");
    calls.failWith(new RemoteStorageException("away"));
    assertThrows(RemoteStorageException.class, this::upload);
    assertThrows(RemoteStorageException.class, this::upload);
    assertEquals(1, bean().getSound());
    assertEquals(2, calls.all().size());
  }

  // ---- settings

  private static Map<String, Object> with(String name, Object value) {
    Map<String, Object> settings =
        new HashMap<>(FakeManager.settings(new FakeManager.Calls(), "observe"));
    settings.put(name, value);
    return settings;
  }

  private static String refusal(Map<String, Object> settings) {
    ConfigException thrown =
        assertThrows(ConfigException.class, () -> new AuditingStorageManager().configure(settings));
    return String.valueOf(thrown.getMessage());
  }

  @Test
  void wrongSettingsAreNamed() {
    assertTrue(
        refusal(Map.of("broker.id", 7)).startsWith("batchvalidator.tiered.class is missing"));
    String mode = refusal(with("batchvalidator.tiered.mode", "Enforce"));
    assertTrue(mode.endsWith("must be one of off, observe, enforce"), mode);
    String name = refusal(with("batchvalidator.tiered.mod", "off"));
    assertTrue(name.startsWith("unknown name batchvalidator.tiered.mod;"), name);
    String recheck = refusal(with("batchvalidator.tiered.recheck.ms", "1h"));
    assertTrue(recheck.contains("a number of milliseconds"), recheck);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no.such.Class",
        "java.lang.String",
        "io.github.batchvalidator.tiered.AuditingStorageManager",
        "io.github.batchvalidator.tiered.MonitorableStorageManager"
      })
  void aClassThatIsNoOtherManagerIsRefused(String name) {
    String message = refusal(with("batchvalidator.tiered.class", name));
    assertTrue(message.contains(name), message);
  }

  @Test
  void observeIsTheDefault() {
    TieredSettings settings = TieredSettings.read(Map.of("batchvalidator.tiered.class", "a.B"));
    assertEquals(Mode.OBSERVE, settings.mode());
    assertFalse(settings.passed().containsKey("batchvalidator.tiered.class"));
  }

  @Test
  void callsBeforeTheConfigurationFailClearly() {
    assertThrows(IllegalStateException.class, this::upload);
  }
}
