// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent.stored;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/** A loader of a class path alone, which sees nothing of the class path of the tests. */
public final class ClassPathLoader extends URLClassLoader {
  private ClassPathLoader(URL[] path) {
    super(path, ClassLoader.getPlatformClassLoader());
  }

  public static ClassPathLoader of(List<Path> path) throws MalformedURLException {
    URL[] urls = new URL[path.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = path.get(i).toUri().toURL();
    }
    return new ClassPathLoader(urls);
  }
}
