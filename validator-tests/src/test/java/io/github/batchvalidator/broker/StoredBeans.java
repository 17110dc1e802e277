// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.broker;

import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** Prints the names of the beans of this project in a JVM that does nothing else. */
final class StoredBeans {
  private StoredBeans() {}

  public static void main(String[] arguments) throws Exception {
    ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("io.github.batchvalidator:*"), null)
        .forEach(System.out::println);
  }
}
