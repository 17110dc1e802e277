// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.storage;

import io.github.batchvalidator.audit.report.Messages;
import io.github.batchvalidator.audit.source.StoredFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ServiceConfigurationError;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/** The file systems of Hadoop, with the configuration of the driver. */
public final class Storage implements Serializable {
  private static final long serialVersionUID = 1;

  private final SerializableConfiguration configuration;

  public Storage(Configuration configuration) {
    this.configuration = new SerializableConfiguration(configuration);
  }

  /** Returns the file system of a path. */
  public FileSystem of(Path path) throws IOException {
    try {
      FileSystem found = path.getFileSystem(configuration.value());
      // One with checksums looks for a file with these, and fails if a name contains a colon.
      return found instanceof ChecksumFileSystem local ? local.getRawFileSystem() : found;
    } catch (IllegalArgumentException e) { // an endpoint or a bucket that is no name
      throw new IOException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      if (e.getCause() instanceof ClassNotFoundException missing) {
        throw missing(path, String.valueOf(missing.getMessage()), e);
      }
      throw e;
    } catch (LinkageError | ServiceConfigurationError e) {
      throw missing(path, e.toString(), e);
    }
  }

  /** Returns a path as the JDK would print it. */
  public static String clean(String typed) {
    String name = typed.replaceAll("(?<![:/])/{2,}", "/");
    boolean hasTail = name.length() > 1 && name.endsWith("/") && !name.matches(".*:/{1,3}");
    return hasTail ? name.substring(0, name.length() - 1) : name;
  }

  /** Returns the absolute path that a name stands for. */
  public Path path(String name) throws IOException {
    Path path = new Path(name);
    FileSystem fileSystem = of(path);
    return fileSystem.makeQualified(path);
  }

  /**
   * Returns a file, which may not exist.
   *
   * @param name the name to show in reports
   * @param uri the absolute path
   */
  public StoredFile file(String name, String uri) {
    return new HadoopFile(this, new Path(uri), name, 0);
  }

  /** Returns a path below a directory. A colon in the name does not end a scheme. */
  public static Path child(Path directory, String name) {
    return new Path(directory, new Path(null, null, name));
  }

  private static IOException missing(Path path, String what, Throwable why) {
    return new IOException(
        "no connector for " + path.toUri().getScheme() + ": " + what + " (docs/spark.md#storage)",
        why);
  }

  /** Returns the path on this machine, or null for another file system. */
  public static java.nio.file.@Nullable Path local(Path path) {
    URI uri = path.toUri();
    return "file".equals(uri.getScheme()) ? java.nio.file.Path.of(uri.getPath()) : null;
  }

  /** Returns true for a regular file. Hadoop takes a local FIFO for one. */
  public static boolean isRegular(FileStatus file) {
    java.nio.file.Path local = local(file.getPath());
    return file.isFile() && (local == null || Files.isRegularFile(local));
  }

  /** Returns an error as the JDK would throw it for a local file. */
  public static IOException asLocal(Path path, IOException why) {
    if (String.valueOf(why.getMessage()).endsWith("(Permission denied)")) { // of FileInputStream
      return new AccessDeniedException(path.toString());
    }
    if (why instanceof FileNotFoundException) {
      return notFound(path, why);
    }
    if (why instanceof AccessControlException) {
      return new AccessDeniedException(path.toString());
    }
    return why;
  }

  /**
   * Returns why a file was not found. A local one may be there: Hadoop does not find a file whose
   * status it cannot read, and {@code FileInputStream} none that it cannot open.
   */
  private static IOException notFound(Path path, IOException why) {
    java.nio.file.Path local = local(path);
    if (local == null) {
      return new NoSuchFileException(path.toString());
    }
    try {
      Files.readAttributes(local, BasicFileAttributes.class);
      return new IOException(Messages.of(why), why);
    } catch (IOException e) {
      return e;
    }
  }
}
