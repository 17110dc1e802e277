// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.testing;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/** A directory that is opened, and whose entries cannot be read, as on a bad disk. */
public final class UnlistedDirectory {
  /** Why the entries cannot be read. */
  public static final String WHY = "Input/output error";

  private UnlistedDirectory() {}

  /** Returns a path that fails when it is listed. What it resolves to are real paths. */
  public static Path of(Path real) {
    FileSystem unlisted = new UnlistedSystem();
    return Proxies.of(
        Path.class,
        (proxy, method, arguments) ->
            method.getName().equals("getFileSystem") ? unlisted : method.invoke(real, arguments));
  }

  private static final class Entries implements DirectoryStream<Path> {
    @Override
    public Iterator<Path> iterator() {
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          throw new DirectoryIteratorException(new IOException(WHY));
        }

        @Override
        public Path next() {
          throw new DirectoryIteratorException(new IOException(WHY));
        }
      };
    }

    @Override
    public void close() {}
  }

  /** A file system that only lists. Nothing calls the other methods, which a subclass must have. */
  private static final class UnlistedSystem extends FileSystem {
    @Override
    public FileSystemProvider provider() {
      return new Provider();
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isOpen() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReadOnly() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String getSeparator() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(String first, String... more) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PathMatcher getPathMatcher(String pattern) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      throw new UnsupportedOperationException();
    }

    @Override
    public WatchService newWatchService() {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Provider extends FileSystemProvider {
    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path directory, DirectoryStream.Filter<? super Path> filter) {
      return new Entries();
    }

    @Override
    public String getScheme() {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path one, Path other) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isHidden(Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileStore getFileStore(Path file) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void checkAccess(Path file, AccessMode... modes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path file, Class<V> type, LinkOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path file, Class<A> type, LinkOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, Object> readAttributes(Path file, String attributes, LinkOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setAttribute(Path file, String name, Object value, LinkOption... options) {
      throw new UnsupportedOperationException();
    }
  }
}
