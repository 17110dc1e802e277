// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import io.github.batchvalidator.agent.RecordedLog;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Loads Kafka and the agent as a JVM with the agent does, with all parts switched on. */
public class RecoveringLoader extends URLClassLoader {
  private final RecordedLog log = new RecordedLog();
  private final KnownCode known;

  /** Null before the first class, because it needs a loader that is complete. */
  private @Nullable StoredTransformer transformer;

  protected RecoveringLoader(URL[] path) throws IOException {
    super(path, ClassLoader.getPlatformClassLoader());
    known = KnownCode.load();
  }

  public static RecoveringLoader of(List<Path> path) throws IOException {
    return new RecoveringLoader(urls(path));
  }

  protected static URL[] urls(List<Path> path) throws IOException {
    URL[] urls = new URL[path.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = path.get(i).toUri().toURL();
    }
    return urls;
  }

  @Override
  protected final Class<?> findClass(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/');
    if (!isChanged(file)) {
      return super.findClass(name);
    }
    try (InputStream in = Objects.requireNonNull(getResourceAsStream(file + ".class"))) {
      byte[] changed = change(file, in.readAllBytes());
      return defineClass(name, changed, 0, changed.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private synchronized StoredTransformer transformer() {
    StoredTransformer created = transformer;
    if (created == null) {
      created = new StoredTransformer(known, EnumSet.allOf(Part.class), log, this);
      transformer = created;
    }
    return created;
  }

  /** Returns whether a class is not loaded as it is. */
  protected boolean isChanged(String file) {
    return StoredTransformer.isChanged(file);
  }

  /** Returns the class to load. */
  protected byte[] change(String file, byte[] original) throws ClassNotFoundException {
    byte[] changed = transformer().transform(this, file, null, null, original);
    if (changed == null) {
      throw new ClassNotFoundException(log.warnings().toString());
    }
    return changed;
  }
}
