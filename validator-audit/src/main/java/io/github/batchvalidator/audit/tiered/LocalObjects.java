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

/**
 * The files below a directory of this machine. Symbolic links are followed.
 *
 * @param root the directory
 */
record LocalObjects(Path root) implements ObjectStore {
  @Override
  public void list(String below, Visitor visitor) throws IOException {
    Files.walkFileTree(
        root.resolve(below),
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              String key = root.relativize(file).toString().replace(File.separatorChar, '/');
              visitor.object(key, attributes.size());
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
            // A broker may delete expired segments at any time.
            if (why instanceof NoSuchFileException || why instanceof FileSystemLoopException) {
              return FileVisitResult.CONTINUE;
            }
            throw why;
          }
        });
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
