// SPDX-License-Identifier: Apache-2.0

/** What the compiled classes of the core may and may not refer to, and how its code looks. */
package io.github.batchvalidator.structure;
