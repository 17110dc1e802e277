// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The files of this machine that are known already, by their real paths.
 *
 * <p>Hard links are different files: a backup may consist of them, and each copy is checked.
 */
public final class KnownFiles {
  private final Map<Path, Set<String>> names = new HashMap<>();

  /** Adds a file, and returns false if it was known, perhaps by another path. */
  public boolean add(Path file) throws IOException {
    Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath().normalize();
    String name = String.valueOf(real.getFileName());
    return names.computeIfAbsent(real.resolveSibling(""), each -> new HashSet<>()).add(name);
  }
}
