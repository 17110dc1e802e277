// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.tiered.ClosedSegment;
import io.github.batchvalidator.tiered.FakeManager;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.utils.ChildFirstClassLoader;
import org.apache.kafka.server.log.remote.storage.RemoteStorageManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xerial.snappy.Snappy;

/** The jar of the wrapper in a class loader such as that of a broker's plugin. */
class TieredJarIT {
  private static final Path JAR =
      Path.of("..", "validator-tiered", "target", "tiered.jar").toAbsolutePath().normalize();
  private static final String CLASS = "io.github.batchvalidator.tiered.AuditingStorageManager";

  @TempDir private Path data;

  private static Path jarOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static RemoteStorageManager create(ClassLoader loader) throws Exception {
    Class<?> type = loader.loadClass(CLASS);
    assertSame(loader, type.getClassLoader());
    return type.asSubclass(RemoteStorageManager.class).getDeclaredConstructor().newInstance();
  }

  /** Audits segments of all codecs, and returns the number of calls that reached the manager. */
  private int upload(ClassLoader loader) throws Exception {
    Path partition = SampleLog.write(data);
    FakeManager.Calls calls = new FakeManager.Calls();
    try (RemoteStorageManager manager = create(loader)) {
      manager.configure(FakeManager.settings(calls, "enforce"));
      calls.all().clear();
      for (ClosedSegment each : ClosedSegment.list(partition)) {
        manager.copyLogSegmentData(each.metadata(), each.data(partition));
      }
      return calls.all().size();
    }
  }

  private static ClassLoader plugin(Path... jars) {
    String path =
        Stream.of(jars).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    return new ChildFirstClassLoader(path, TieredJarIT.class.getClassLoader());
  }

  @Test
  void theJarContainsNothingThatABrokerHas() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> others =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> !name.endsWith("/"))
              .filter(name -> !name.startsWith("io/github/batchvalidator/tiered/"))
              .filter(name -> !name.startsWith("META-INF/"))
              .toList();
      assertEquals(List.of(), others);
      List<String> natives =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.matches(".*\\.(so|dll|dylib|jnilib)"))
              .toList();
      assertEquals(List.of(), natives);
    }
  }

  @Test
  void theCodecsOfTheBrokerAreUsed() throws Exception {
    ClassLoader loader = plugin(JAR);
    assertSame(Zstd.class, loader.loadClass(Zstd.class.getName()));
    assertEquals(SampleLog.SEGMENTS - 1, upload(loader));
  }

  /** The libraries copy their native parts to files of their own, so they load a second time. */
  @Test
  void codecsInTheClassPathOfThePluginWorkToo() throws Exception {
    assertEquals(5, Zstd.decompress(Zstd.compress(new byte[5]), 5).length);
    assertTrue(Snappy.maxCompressedLength(5) > 0);
    ClassLoader loader =
        plugin(JAR, jarOf(Zstd.class), jarOf(LZ4Factory.class), jarOf(Snappy.class));
    assertSame(loader, loader.loadClass(Zstd.class.getName()).getClassLoader());
    assertEquals(SampleLog.SEGMENTS - 1, upload(loader));
  }

  /** Kafka 3.9 and 4.0 have no {@code Monitorable}. */
  @Test
  void theWrapperLinksOnEachLine() throws Exception {
    for (String version : Lines.versions()) {
      List<URL> urls = new ArrayList<>(List.of(JAR.toUri().toURL()));
      for (Path jar : Lines.kafka(version)) {
        urls.add(jar.toUri().toURL());
      }
      urls.add(jarOf(org.slf4j.Logger.class).toUri().toURL());
      try (URLClassLoader loader =
          new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
        Class<?> type = loader.loadClass(CLASS);
        Object manager = type.getDeclaredConstructor().newInstance();
        Class<?> configurable = loader.loadClass(Configurable.class.getName());
        InvocationTargetException thrown =
            assertThrows(
                InvocationTargetException.class,
                () ->
                    configurable
                        .getMethod("configure", Map.class)
                        .invoke(manager, Map.of("batchvalidator.tiered.class", "no.such.Class")));
        String cause = String.valueOf(thrown.getCause());
        assertTrue(cause.contains("ConfigException: Invalid value no.such.Class"), cause);
      }
    }
  }
}
