// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.batchvalidator.BatchValidator;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The compiled classes of the core, whether they lie in a folder or in a jar. */
final class Core {
  static final String ROOT = BatchValidator.class.getPackageName();

  private static final String INTERNAL = "internal.";

  private static final JavaClasses CLASSES = importedWith(BatchValidator.class);

  private Core() {}

  static JavaClasses classes() {
    return CLASSES;
  }

  /** Returns the classes of the folders and jars that contain the given ones. */
  static JavaClasses importedWith(Class<?>... types) {
    List<URL> locations =
        Stream.of(types)
            .map(each -> each.getProtectionDomain().getCodeSource().getLocation())
            .toList();
    return imported(importer -> importer.importUrls(locations));
  }

  /** Imports classes. Those that they read are names only: the rest would take most of the time. */
  static JavaClasses imported(Function<ClassFileImporter, JavaClasses> read) {
    return ArchConfiguration.withThreadLocalScope(
        configuration -> {
          configuration.setResolveMissingDependenciesFromClassPath(false);
          return read.apply(new ClassFileImporter());
        });
  }

  /**
   * Opens the descriptor of the core, which a class loader could confuse with that of another jar.
   */
  static InputStream descriptor() throws IOException {
    String location =
        BatchValidator.class.getProtectionDomain().getCodeSource().getLocation().toString();
    String root = location.endsWith("/") ? location : "jar:" + location + "!/";
    return URI.create(root + "module-info.class").toURL().openStream();
  }

  /**
   * Returns the package below a root; empty for the root itself. The prefix of packages that are
   * not exported is left out.
   */
  static String layer(String root, String className) {
    String rest = relative(root, className);
    int dot = rest.lastIndexOf('.', firstUpperCase(rest));
    return dot < 0 ? "" : rest.substring(0, dot);
  }

  /** Returns the name of a class below a root, without the prefix {@code internal}. */
  static String relative(String root, String className) {
    String rest = className.substring(root.length() + 1);
    return rest.startsWith(INTERNAL) ? rest.substring(INTERNAL.length()) : rest;
  }

  private static int firstUpperCase(String name) {
    int at = 0;
    while (at < name.length() && !Character.isUpperCase(name.charAt(at))) {
      at++;
    }
    return at;
  }
}
