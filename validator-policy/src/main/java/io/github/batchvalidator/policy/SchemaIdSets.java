// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.SchemaIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sets of schema ids of one policy file. Sections with the same list share one set. All sets
 * together have at most {@link SchemaIds#MAX_ENTRIES} entries, and all files of ids together at
 * most 64 MiB.
 */
final class SchemaIdSets {
  /** The maximum number of files of ids. A broker looks at each of them every few seconds. */
  static final int MOST_FILES = 1_000;

  /** The maximum size of all files of ids together, in bytes. */
  static final long MOST_BYTES = 64 << 20;

  private static final String FILE = "file:";

  private final Path policy;
  private final PolicyProblems problems;
  private final BoundedText texts = new BoundedText(MOST_BYTES);
  private final Set<Path> files = new LinkedHashSet<>();
  private final Map<String, SchemaIds> sets = new HashMap<>();
  private int entries;
  private boolean isFull;

  /** Creates an empty collection for a policy file. */
  SchemaIdSets(Path policy, PolicyProblems problems) {
    this.policy = policy;
    this.problems = problems;
  }

  /** {@return the stamps of the files of ids that were read so far} */
  List<FileStamp> stamps() {
    return texts.stamps();
  }

  /** {@return the files of ids so far, as the policy file names them} */
  Set<Path> files() {
    return files;
  }

  /** {@return the set of an entry} Adds its mistakes to the problems, once per list. */
  SchemaIds of(PolicyLines.Entry entry) {
    SchemaIds known = sets.get(entry.value());
    if (known == null) {
      known = entry.value().equals(SchemaIdParser.ANY) ? SchemaIds.ANY : read(entry);
      sets.put(entry.value(), known);
    }
    return known;
  }

  private SchemaIds read(PolicyLines.Entry entry) {
    SchemaIdParser ids = new SchemaIdParser();
    for (String text : entry.list()) {
      if (text.startsWith(FILE)) {
        readFile(text.substring(FILE.length()), entry, ids);
      } else {
        add(policy, entry.line(), entry.key(), text, ids);
      }
    }
    if (ids.isEmpty() && problems.isEmpty()) {
      problems.add(policy, entry, "has no id; write " + SchemaIdParser.ANY + " to allow all");
    }
    return ids.ids();
  }

  /** Reads one entry per line. Empty lines and lines that start with # do not count. */
  private void readFile(String name, PolicyLines.Entry entry, SchemaIdParser ids) {
    Path named;
    try {
      named = policy.getFileSystem().getPath(name);
    } catch (InvalidPathException e) {
      problems.add(policy, entry, "cannot read the file: " + e.getMessage());
      return;
    }
    files.add(named);
    if (files.size() > MOST_FILES) {
      problems.add(policy, entry, "more than " + MOST_FILES + " files of schema ids");
      return;
    }
    Path file = policy.resolveSibling(named);
    try (BufferedReader text = texts.open(file)) {
      readLines(file, text, ids);
    } catch (BoundedText.TextException e) {
      problems.add(file, e.line(), "", "cannot read the file: " + e.getMessage());
    } catch (IOException e) {
      problems.add(policy, entry, "cannot read the file " + file + ": " + e);
    }
  }

  private void readLines(Path file, BufferedReader text, SchemaIdParser ids) throws IOException {
    int line = 0;
    boolean isEmpty = true;
    for (String next = text.readLine(); next != null; next = text.readLine()) {
      line++;
      String id = next.strip();
      if (!id.isEmpty() && !id.startsWith("#")) {
        isEmpty = false;
        if (!add(file, line, "", id, ids)) {
          return;
        }
      }
    }
    if (isEmpty) {
      problems.add(file, 0, "", "has no id, as after a cut; name no file that has none");
    }
  }

  /** {@return false if no more entries are wanted} */
  private boolean add(Path file, int line, String key, String text, SchemaIdParser ids) {
    if (isFull || problems.isFull()) {
      return false;
    }
    if (entries == SchemaIds.MAX_ENTRIES) {
      problems.add(file, line, key, "more than " + SchemaIds.MAX_ENTRIES + " schema ids");
      isFull = true;
      return false;
    }
    if (!ids.add(text)) {
      problems.add(
          file,
          line,
          key,
          PolicyProblems.shorten(text) + " is not legal; legal is " + ValueSyntax.IDS.legal());
      return true;
    }
    entries++;
    return true;
  }
}
