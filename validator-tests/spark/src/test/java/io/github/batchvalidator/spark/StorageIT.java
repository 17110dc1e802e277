// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import io.github.batchvalidator.audit.TieredCopy;
import io.github.batchvalidator.cli.Run;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Segments in HDFS and in S3, with the report of the same files on a local disk. */
@Tag("slow")
class StorageIT {
  private static final Path SERVERS = Path.of("target/servers").toAbsolutePath();
  private static final String LOOPBACK = "127.0.0.1";
  private static final Pattern CHECK = Pattern.compile("\"\\./check [^\"]*\",?");
  private static final String NO_COMMANDS = ",\"commands\":[]";
  private static final Pattern DURATION = Pattern.compile(",\"seconds\":.*");
  private static final long TASK_BYTES = 2500;

  @TempDir private static Path data;

  private static List<OtherProcess> servers = new ArrayList<>();
  private static HttpServer refusing = refusing();
  private static JavaSparkContext spark = start();

  /** A file system that is not local, and its root. */
  private enum Kind {
    HDFS("hdfs://" + LOOPBACK + ":" + freePort()),
    S3("s3a://kafka");

    private final String root;

    Kind(String root) {
      this.root = root;
    }

    /** Returns a directory of a test. */
    org.apache.hadoop.fs.Path path(String name) {
      return new org.apache.hadoop.fs.Path(root + "/" + name);
    }

    /** Returns the file system of the user that the HDFS cluster runs as, who may do anything. */
    FileSystem files() throws IOException {
      try {
        String user = System.getProperty("user.name");
        return FileSystem.get(URI.create(root), spark.hadoopConfiguration(), user);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server that refuses all requests, as S3 does with wrong credentials. */
  private static HttpServer refusing() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_FORBIDDEN, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JavaSparkContext start() {
    // The audit runs as a user who may not read everything.
    System.setProperty("HADOOP_USER_NAME", "auditor");
    return Distributed.local();
  }

  @BeforeAll
  static void startServers() throws Exception {
    Path minicluster = SERVERS.resolve("hadoop-client-minicluster.jar");
    Path details = data.resolve("details");
    OtherProcess hdfs =
        OtherProcess.java(
            data.resolve("hdfs"),
            List.of(
                "-Xmx512m",
                "-cp",
                minicluster + File.pathSeparator + System.getProperty("java.class.path"),
                "org.apache.hadoop.test.MiniDFSClusterManager",
                "-format",
                "-datanodes",
                "1",
                "-nnport",
                String.valueOf(URI.create(Kind.HDFS.root).getPort()),
                "-writeDetails",
                details.toString()));
    servers.add(hdfs);
    int port = freePort();
    OtherProcess s3 =
        OtherProcess.java(
            data.resolve("s3"),
            List.of(
                "-Xmx512m",
                "-jar",
                SERVERS.resolve("s3mock-exec.jar").toString(),
                "--http.port=" + port,
                "--server.port=" + freePort()));
    servers.add(s3);
    Configuration hadoop = spark.hadoopConfiguration();
    hadoop.set("fs.s3a.endpoint", "http://" + LOOPBACK + ":" + port);
    hadoop.set("fs.s3a.endpoint.region", "us-east-1");
    hadoop.set("fs.s3a.path.style.access", "true");
    hadoop.set("fs.s3a.connection.ssl.enabled", "false");
    hadoop.set("fs.s3a.access.key", "any");
    hadoop.set("fs.s3a.secret.key", "any");
    hadoop.set("fs.s3a.attempts.maximum", "1");
    hadoop.set(
        "fs.s3a.bucket.denied.endpoint",
        "http://" + LOOPBACK + ":" + refusing.getAddress().getPort());
    hdfs.await(() -> Files.exists(details));
    s3.await(() -> createsBucket(port));
  }

  private static boolean createsBucket(int port) {
    URI bucket = URI.create("http://" + LOOPBACK + ":" + port + "/kafka");
    HttpRequest request =
        HttpRequest.newBuilder(bucket).PUT(HttpRequest.BodyPublishers.noBody()).build();
    try {
      return HttpClient.newHttpClient()
              .send(request, HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == HttpURLConnection.HTTP_OK;
    } catch (IOException e) { // not up yet
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void stop() {
    spark.stop();
    servers.forEach(OtherProcess::close);
    refusing.stop(0);
  }

  /** Writes a partition with a damaged batch, and its tiered copies. */
  private static Path write(String name) throws IOException {
    Path local = data.resolve(name);
    StoredLog log = new StoredLog(SampleLog.write(local.resolve("broker")));
    TieredCopy.kafka(log.directory(), local.resolve("tiered"));
    log.edit(log.file(0, ".log"), all -> all.put(200, (byte) 1));
    return local;
  }

  private static List<String> rows(Stream<String> lines) {
    return lines.map(line -> DURATION.matcher(line).replaceAll("")).toList();
  }

  /** Returns a row without the commands that read local files only. */
  private static String withoutCheck(String row) {
    return CHECK.matcher(row).replaceAll("").replace(NO_COMMANDS, "");
  }

  private static Distributed audit() {
    return new Distributed(spark).split(TASK_BYTES, 2);
  }

  private static List<String> ofType(List<String> rows, String type) {
    return rows.stream().filter(row -> row.contains("\"type\":\"" + type + "\"")).toList();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void theReportIsThatOfLocalFiles(Kind kind) throws Exception {
    Path local = write("same-" + kind);
    org.apache.hadoop.fs.Path remote = kind.path("same");
    kind.files().copyFromLocalFile(new org.apache.hadoop.fs.Path(local.toString()), remote);
    List<String> expected =
        rows(
            Run.of("--json", local.toString())
                .out()
                .lines()
                .map(line -> withoutCheck(line).replace(local.toString(), remote.toString())));
    assertEquals(expected, rows(audit().lines(List.of(remote.toString())).stream()));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aSegmentThatBecomesShorterIsNamedAndADeletedOneCounted(Kind kind) throws Exception {
    Path local = write("changed-" + kind);
    StoredLog log = new StoredLog(local.resolve("broker/orders-3"));
    org.apache.hadoop.fs.Path remote = kind.path("changed");
    kind.files()
        .copyFromLocalFile(
            new org.apache.hadoop.fs.Path(log.directory().toString()),
            new org.apache.hadoop.fs.Path(remote, "orders-3"));
    String deleted = String.valueOf(log.file(1, ".log").getFileName());
    String shorter = String.valueOf(log.file(2, ".log").getFileName());
    List<String> rows =
        audit()
            .meanwhile(
                () -> {
                  try {
                    FileSystem files = kind.files();
                    org.apache.hadoop.fs.Path partition =
                        new org.apache.hadoop.fs.Path(remote, "orders-3");
                    files.delete(new org.apache.hadoop.fs.Path(partition, deleted), false);
                    org.apache.hadoop.fs.Path cut =
                        new org.apache.hadoop.fs.Path(partition, shorter);
                    try (var out = files.create(cut, true)) {
                      out.write(Files.readAllBytes(log.file(2, ".log")), 0, 100);
                    }
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })
            .lines(List.of(remote.toString()));
    List<String> errors = ofType(rows, "error");
    assertEquals(1, errors.size(), rows::toString);
    assertTrue(errors.get(0).contains(shorter), errors::toString);
    assertTrue(errors.get(0).contains("became shorter"), errors::toString);
    List<String> summary = ofType(rows, "summary");
    assertTrue(summary.get(0).contains("\"vanished\":1,"), summary::toString);
    assertEquals(4, ofType(rows, "file").size(), rows::toString);
    assertTrue(ofType(rows, "fault").stream().anyMatch(row -> row.contains("CRC")));
  }

  @Test
  void segmentsThatMayNotBeReadAreNamed() throws Exception {
    Path local = write("forbidden");
    StoredLog log = new StoredLog(local.resolve("broker/orders-3"));
    org.apache.hadoop.fs.Path remote = Kind.HDFS.path("forbidden");
    FileSystem files = Kind.HDFS.files();
    files.copyFromLocalFile(
        new org.apache.hadoop.fs.Path(log.directory().toString()),
        new org.apache.hadoop.fs.Path(remote, "orders-3"));
    String name = String.valueOf(log.file(1, ".log").getFileName());
    files.setPermission(
        new org.apache.hadoop.fs.Path(remote, "orders-3/" + name), new FsPermission((short) 0));
    List<String> rows = audit().lines(List.of(remote.toString()));
    List<String> errors = ofType(rows, "error");
    assertEquals(1, errors.size(), rows::toString);
    assertTrue(errors.get(0).contains(name), errors::toString);
    assertTrue(errors.get(0).contains("permission denied"), errors::toString);
    assertEquals(6, ofType(rows, "file").size(), rows::toString);
  }

  @Test
  void wrongCredentialsAreNamed() throws Exception {
    Path local = write("credentials");
    List<String> rows =
        audit().lines(List.of("s3a://denied/kafka", local.resolve("broker").toString()));
    List<String> errors = ofType(rows, "error");
    assertEquals(1, errors.size(), rows::toString);
    assertTrue(errors.get(0).contains("s3a://denied/kafka"), errors::toString);
    assertTrue(errors.get(0).contains("permission denied"), errors::toString);
    assertEquals(6, ofType(rows, "file").size(), rows::toString);
  }
}
