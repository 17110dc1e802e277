// SPDX-License-Identifier: Apache-2.0

/** Tests of statements in the documents. */
package io.github.batchvalidator.docs;
