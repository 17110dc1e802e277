// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testkit.broker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One broker that is also a controller, with its own JVM and folder. Closing kills it. So does the
 * end of the JVM that started it.
 */
public final class BrokerProcess implements AutoCloseable {
  private static final long START_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long POLL_MS = 5;
  private static final String DATA = "data";
  private static final String LOG = "server.log";
  private static final String STARTED = "Kafka Server started";
  private static final String CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAQ";
  private static final String LOG4J1 =
      """
      log4j.rootLogger=INFO, out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d %p %m%n
      """;

  /** The options of the script of a release, apart from the heap. */
  public static final List<String> SCRIPT_OPTIONS =
      List.of(
          "-server",
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:MaxInlineLevel=15");

  /** The files of formatted folders, by version of the broker and number of the node. */
  private static final Map<List<Object>, Map<String, byte[]>> FORMATTED = new ConcurrentHashMap<>();

  private final Path folder;
  private final int port;
  private final Process process;
  private final Thread killer;
  private final long launchedNanos;
  private long startNanos;

  private BrokerProcess(Path folder, int port, Process process) {
    this.folder = folder;
    this.port = port;
    this.process = process;
    launchedNanos = System.nanoTime();
    killer = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(killer);
  }

  /**
   * Starts a broker in a folder that is empty or has the data of an earlier broker, and returns
   * when it serves.
   *
   * @param folder for its data, configuration and logs
   * @param classPath in order
   * @param options of its JVM, behind those of a release's script; the last of two that contradict
   *     each other wins
   * @param settings of the broker, beside the usual ones
   * @throws IOException if the folder cannot be written
   * @throws InterruptedException if the wait is interrupted
   * @throws IllegalStateException with its log if it does not start within three minutes
   */
  public static BrokerProcess start(
      Path folder, List<Path> classPath, List<String> options, Map<String, String> settings)
      throws IOException, InterruptedException {
    BrokerProcess broker = launch(ClusterMember.alone(), folder, classPath, options, settings);
    broker.awaitStart();
    return broker;
  }

  /**
   * Starts a broker of a cluster in a folder that is empty or has the data of an earlier broker.
   * The broker serves when {@link #awaitStart} returns, which needs most members of the cluster.
   *
   * @param member of the cluster
   * @param folder for its data, configuration and logs
   * @param classPath in order
   * @param options of its JVM, behind those of a release's script; the last of two that contradict
   *     each other wins
   * @param settings of the broker, beside the usual ones
   * @throws IOException if the folder cannot be written
   * @throws InterruptedException if the wait for the format of an empty folder is interrupted
   */
  public static BrokerProcess launch(
      ClusterMember member,
      Path folder,
      List<Path> classPath,
      List<String> options,
      Map<String, String> settings)
      throws IOException, InterruptedException {
    Path config = writeConfig(Files.createDirectories(folder), member, settings);
    if (!isFormatted(folder)) {
      format(folder, classPath, config, member);
    }
    Process process =
        new ProcessBuilder(command(folder, classPath, options, config))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(LOG).toFile())
            .start();
    return new BrokerProcess(folder, member.port(), process);
  }

  /** Formats a folder with Kafka's tool, or like one that the tool has formatted here before. */
  private static void format(Path folder, List<Path> classPath, Path config, ClusterMember member)
      throws IOException, InterruptedException {
    List<Object> kind = List.of(clients(classPath), member.nodeId());
    Map<String, byte[]> known = FORMATTED.get(kind);
    if (known == null) {
      formatByTool(folder, classPath, config);
      FORMATTED.put(kind, files(folder.resolve(DATA)));
    } else {
      for (Map.Entry<String, byte[]> each : known.entrySet()) {
        Path file = folder.resolve(DATA).resolve(each.getKey());
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, each.getValue());
      }
    }
  }

  /** Returns the name of the jar of Kafka's clients, which has the version of the broker. */
  private static String clients(List<Path> classPath) {
    return classPath.stream()
        .map(jar -> jar.getFileName().toString())
        .filter(name -> name.matches("kafka-clients-[\\d.]+jar"))
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(folder).filter(Files::isRegularFile)) {
      for (Path each : all.toList()) {
        files.put(folder.relativize(each).toString(), Files.readAllBytes(each));
      }
    }
    return files;
  }

  private static void formatByTool(Path folder, List<Path> classPath, Path config)
      throws IOException, InterruptedException {
    String formatted =
        ChildJvm.run(
            folder,
            classPath,
            List.of("-XX:TieredStopAtLevel=1"),
            List.of(
                "kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", config.toString()));
    if (!isFormatted(folder)) {
      throw new IllegalStateException("not formatted: " + formatted);
    }
  }

  private static boolean isFormatted(Path folder) {
    return Files.exists(folder.resolve(DATA).resolve("meta.properties"));
  }

  private static Path writeConfig(Path folder, ClusterMember member, Map<String, String> settings)
      throws IOException {
    Properties config = new Properties();
    config.putAll(
        Map.of(
            "process.roles",
            "broker,controller",
            "node.id",
            Integer.toString(member.nodeId()),
            "controller.quorum.voters",
            member.voters(),
            "listeners",
            "PLAINTEXT://127.0.0.1:"
                + member.port()
                + ",CONTROLLER://127.0.0.1:"
                + member.controllerPort(),
            "advertised.listeners",
            "PLAINTEXT://127.0.0.1:" + member.port(),
            "controller.listener.names",
            "CONTROLLER",
            "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs",
            folder.resolve(DATA).toString(),
            "auto.create.topics.enable",
            "false",
            "transaction.state.log.num.partitions",
            "1"));
    config.setProperty("transaction.state.log.replication.factor", "1");
    config.setProperty("transaction.state.log.min.isr", "1");
    // By default, a deleted topic's files go a minute later, which would disturb the next run.
    config.setProperty("log.segment.delete.delay.ms", "100");
    config.setProperty("log.initial.task.delay.ms", "5000");
    // The default is a third of the heap, which nothing here needs.
    config.setProperty("log.cleaner.dedupe.buffer.size", "4194304");
    config.putAll(settings);
    Path file = folder.resolve("server.properties");
    try (var out = Files.newOutputStream(file)) {
      config.store(out, null);
    }
    Files.writeString(folder.resolve("log4j.properties"), LOG4J1);
    return file;
  }

  /** The options of a release's script, with another heap and with those that only we need. */
  private static List<String> command(
      Path folder, List<Path> classPath, List<String> options, Path config) {
    List<String> command = new ArrayList<>(List.of("-Xmx384m", "-Xms384m"));
    command.addAll(SCRIPT_OPTIONS);
    command.add("-Djava.awt.headless=true");
    // The first is read by lines up to 3.9, the second by the others.
    command.add("-Dlog4j.configuration=file:" + folder.resolve("log4j.properties"));
    command.add("-Dlog4j2.level=INFO");
    command.add("-Xlog:class+load:file=" + folder.resolve("classes.txt"));
    command.addAll(options);
    return ChildJvm.command(classPath, command, List.of("kafka.Kafka", config.toString()));
  }

  /**
   * Returns when it serves.
   *
   * @throws IOException if its log cannot be read
   * @throws InterruptedException if the wait is interrupted
   * @throws IllegalStateException with its log if it does not start within three minutes
   */
  public void awaitStart() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_NANOS;
    try (InputStream in = Files.newInputStream(folder.resolve(LOG))) {
      StringBuilder read = new StringBuilder();
      // Only what is new: the starts of a cluster's brokers log megabytes.
      while (!hasStarted(read, in)) {
        if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
          String log = log();
          close();
          throw new IllegalStateException("The broker did not start:\n" + log);
        }
      }
    }
    startNanos = System.nanoTime() - launchedNanos;
  }

  /** Reads on, and tells whether the broker says that it has started. */
  private static boolean hasStarted(StringBuilder read, InputStream in) throws IOException {
    int from = Math.max(0, read.length() - STARTED.length());
    read.append(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
    return read.indexOf(STARTED, from) >= 0;
  }

  /** Returns how long it took from the start of the JVM until it said that it had started. */
  public long startNanos() {
    return startNanos;
  }

  /**
   * Stops it as a release's script does, and returns when the JVM has ended.
   *
   * @throws InterruptedException if the wait is interrupted
   * @throws IllegalStateException if that takes longer than three minutes
   */
  public void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(START_NANOS, TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException("The broker does not stop");
    }
  }

  /** Returns what the broker has logged so far. */
  public String log() throws IOException {
    return Files.readString(folder.resolve(LOG));
  }

  /** Returns the size of what the broker has logged so far. */
  public long logBytes() throws IOException {
    return Files.size(folder.resolve(LOG));
  }

  /** Returns where clients find it: host and port. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** Returns a factory of its clients. */
  public BrokerClients clients() {
    return new BrokerClients(address());
  }

  /** Returns the port of its clients on the loopback address. */
  public int port() {
    return port;
  }

  /** Returns the id of its process. */
  public long pid() {
    return process.pid();
  }

  /** Tells whether its process runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns which classes the broker has loaded so far. */
  public LoadedClasses classes() throws IOException {
    return LoadedClasses.read(folder.resolve("classes.txt"));
  }

  /** Returns the folder of its data. */
  public Path data() {
    return folder.resolve(DATA);
  }

  /** Returns the folder of the only partition of a topic. */
  public Path partition(String topic) {
    return folder.resolve(DATA).resolve(topic + "-0");
  }

  /** Tells whether a partition of a topic, deleted ones too, still has a folder. */
  public boolean stores(String topic) throws IOException {
    try (Stream<Path> folders = Files.list(folder.resolve(DATA))) {
      return folders.anyMatch(each -> each.getFileName().toString().startsWith(topic + "-"));
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
    Runtime.getRuntime().removeShutdownHook(killer);
  }
}
