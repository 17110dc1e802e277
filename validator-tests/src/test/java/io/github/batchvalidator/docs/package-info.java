// SPDX-License-Identifier: Apache-2.0

/** What the documents say is tried here. */
package io.github.batchvalidator.docs;
