// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.spark.inventory;

import io.github.batchvalidator.spark.storage.Folder;
import io.github.batchvalidator.spark.storage.ListedObject;
import java.util.List;

/**
 * A segment in a tiered storage.
 *
 * @param root the storage
 * @param objects the objects of the segment, and those of the segment that states the topic, if
 *     there is one
 * @param name the name of the log to show in reports
 * @param size the size of the log object
 */
record TieredRef(Folder root, List<ListedObject> objects, String name, long size)
    implements SegmentRef {}
