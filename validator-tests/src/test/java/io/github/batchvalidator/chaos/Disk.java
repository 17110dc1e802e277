// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A small ext4 file system in a file, which can be filled and freed again.
 *
 * <p>Needs Linux and the right to mount. Closing unmounts the file system and keeps its file. So
 * does the end of the JVM.
 */
final class Disk implements AutoCloseable {
  private static final long BYTES = 128 << 20;
  private static final int BLOCK_BYTES = 4096;

  /** The most bytes that the file system reports as usable although every write fails. */
  private static final long MOST_LEFT_BYTES = 16 * BLOCK_BYTES;

  private final Path folder;
  private final Path ballast;
  private final Thread hook = new Thread(this::unmount);

  private Disk(Path folder) {
    this.folder = folder;
    ballast = folder.resolve("ballast");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Mounts an empty file system.
   *
   * @param folder to mount it on, which is created; the file is beside it
   * @throws IOException with the message of the command that failed
   */
  static Disk mount(Path folder) throws IOException {
    Path image = folder.resolveSibling(folder.getFileName() + ".ext4");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    // Without blocks that only root gets: brokers may run as root here.
    run("mkfs.ext4", "-q", "-m", "0", "-b", Integer.toString(BLOCK_BYTES), image.toString());
    Files.createDirectories(folder);
    run("mount", "-o", "loop", image.toString(), folder.toString());
    Disk disk = new Disk(folder);
    Files.delete(folder.resolve("lost+found")); // Kafka takes any folder for a partition
    return disk;
  }

  /** Returns why a file system cannot be mounted, or null if it can. */
  static @Nullable String obstacle(Path below) {
    try (Disk disk = mount(below.resolve("tried"))) {
      disk.free();
      return null;
    } catch (IOException e) {
      return "no small disk: " + e.getMessage();
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + out.strip());
    }
  }

  /** Takes all of the space that is left. */
  void fill() throws IOException {
    byte[] chunk = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(ballast)) {
      while (true) {
        out.write(chunk);
      }
    } catch (IOException e) {
      if (folder.toFile().getUsableSpace() > MOST_LEFT_BYTES) {
        throw e;
      }
    }
  }

  /** Gives back what {@link #fill} has taken. */
  void free() throws IOException {
    Files.deleteIfExists(ballast);
  }

  private void unmount() {
    try {
      // Detaches it now, and lets it go when the last broker that uses it has ended.
      run("umount", "-l", folder.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    unmount();
    Runtime.getRuntime().removeShutdownHook(hook);
  }
}
