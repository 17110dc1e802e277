// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.structure;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.batchvalidator.BatchValidator;

/** The compiled classes of the core, whether they lie in a folder or in a jar. */
final class Core {
  static final String ROOT = BatchValidator.class.getPackageName();

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importUrl(BatchValidator.class.getProtectionDomain().getCodeSource().getLocation());

  private Core() {}

  static JavaClasses classes() {
    return CLASSES;
  }

  /** Returns the first part of the package below a root; empty for the root itself. */
  static String layer(String root, String className) {
    String rest = className.substring(root.length() + 1);
    int dot = rest.indexOf('.');
    return dot < 0 ? "" : rest.substring(0, dot);
  }
}
