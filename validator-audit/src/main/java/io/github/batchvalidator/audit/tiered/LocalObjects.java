// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files below a directory of this machine. Symbolic links are followed.
 *
 * @param root the directory
 */
record LocalObjects(Path root) implements ObjectStore {
  @Override
  public Map<String, IOException> list(String below, Visitor visitor) {
    Map<String, IOException> unlisted = new TreeMap<>();
    try {
      Files.walkFileTree(
          root.resolve(below),
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          Integer.MAX_VALUE,
          new Walk(visitor, unlisted));
    } catch (IOException e) {
      unlisted.put(below, e);
    }
    return unlisted;
  }

  private String key(Path file) {
    return root.relativize(file).toString().replace(File.separatorChar, '/');
  }

  /** A walk past directories that it cannot list. */
  private final class Walk extends SimpleFileVisitor<Path> {
    private final Visitor visitor;
    private final Map<String, IOException> unlisted;

    private Walk(Visitor visitor, Map<String, IOException> unlisted) {
      this.visitor = visitor;
      this.unlisted = unlisted;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      try {
        BasicFileAttributes found = attributes;
        if (attributes.isSymbolicLink()) { // those of its target could not be read
          found = Files.readAttributes(file, BasicFileAttributes.class);
        }
        if (found.isRegularFile()) {
          visitor.object(key(file), found.size());
        }
        return FileVisitResult.CONTINUE;
      } catch (IOException e) {
        return visitFileFailed(file, e);
      }
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException why) {
      // A broker may delete expired segments at any time.
      if (!(why instanceof NoSuchFileException || why instanceof FileSystemLoopException)) {
        // The list of a directory lacks a file whose size is unknown.
        unlisted.put(key(Files.isDirectory(file) ? file : file.resolveSibling("")), why);
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException why) {
      if (why != null) {
        unlisted.put(key(directory), why);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  @Override
  public long size(String key) throws IOException {
    return Files.size(root.resolve(key));
  }

  @Override
  public InputStream open(String key, long position) throws IOException {
    Path file = root.resolve(key);
    if (!Files.isReadable(file)) { // the message of FileInputStream repeats the name
      return Files.newInputStream(file);
    }
    FileInputStream in = new FileInputStream(file.toFile());
    try {
      in.getChannel().position(position);
      return in;
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  @Override
  public String name(String key) {
    return root.resolve(key).toString();
  }
}
