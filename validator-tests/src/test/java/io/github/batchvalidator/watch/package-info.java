// SPDX-License-Identifier: Apache-2.0

/** What can be seen of the validation from outside. */
package io.github.batchvalidator.watch;
