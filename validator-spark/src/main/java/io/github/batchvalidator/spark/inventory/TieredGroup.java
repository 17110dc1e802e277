// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.ListedObject;
import java.io.Serializable;
import java.util.List;

/**
 * A partition in a tiered storage.
 *
 * @param root the storage
 * @param objects all objects in the directory of the partition
 * @param local the first segment of each directory of a broker with the same partition
 */
public record TieredGroup(Folder root, List<ListedObject> objects, List<LogRef> local)
    implements Serializable {}
