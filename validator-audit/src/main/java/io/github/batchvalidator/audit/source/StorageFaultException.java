// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.source;

import io.github.batchvalidator.audit.report.FileFault;
import java.io.IOException;

/** A segment cannot be read, or not to its end, because an object of its storage is faulty. */
public final class StorageFaultException extends IOException {
  private static final long serialVersionUID = 1;

  private final transient FileFault found;

  public StorageFaultException(FileFault found) {
    super(found.fault().message());
    this.found = found;
  }

  /** Returns the fault and the name of the object. */
  public FileFault found() {
    return found;
  }
}
