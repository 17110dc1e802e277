// SPDX-License-Identifier: Apache-2.0

/** Reports for people and programs: text of 80 columns, with or without colors, and JSON Lines. */
package io.github.batchvalidator.audit.print;
