// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Limit;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.Prefix;
import java.util.LinkedHashMap;
import java.util.Map;

/** The keys of a section of a policy file, and their legal values. */
final class PolicyKeys {
  static final String MATCH = "match";
  static final String LEVEL = "level";
  static final String OBSERVE = "observe";
  static final String LIMITS = "limits";
  static final String CODECS = "codecs";
  static final String KEY_REQUIRED = "key.required";
  static final String VALUE_REQUIRED = "value.required";
  static final String HEADERS_REQUIRED = "headers.required";
  static final String HEADERS_FORBIDDEN = "headers.forbidden";
  static final String HEADERS_UTF8 = "headers.utf8";
  static final String KEY_SCHEMA = "key.schema";
  static final String KEY_SCHEMA_IDS = "key.schema.ids";
  static final String VALUE_SCHEMA = "value.schema";
  static final String VALUE_SCHEMA_IDS = "value.schema.ids";
  static final String KEY_STARTS = "key.starts";
  static final String VALUE_STARTS = "value.starts";
  static final String KEY_BYTES = "key.bytes";
  static final String VALUE_BYTES = "value.bytes";
  static final String MILLISECONDS = "timestamps.milliseconds";

  static final String NONE = "none";

  private static final String FLAG = "true or false";
  private static final String PLACES = "none, payload, header or either";
  private static final String IDS =
      "a list of ids such as 17, ranges such as 100-199, global:17 for Apicurio's global ids, GUIDs,"
          + " file:PATH for a file with one of these per line; or any";
  private static final String STARTS = "a list of " + Prefix.LEGAL_VALUES;
  private static final String SIZES = "two sizes in bytes such as 1-1000";
  private static final String HEADERS = "a list of header keys";

  /** The legal values of each key, in the order of the documentation. */
  static final Map<String, String> LEGAL = legal();

  private PolicyKeys() {}

  private static Map<String, String> legal() {
    Map<String, String> legal = new LinkedHashMap<>();
    legal.put(MATCH, "a list of topics or patterns with * and ?");
    legal.put(LEVEL, "kafka or strict");
    legal.put(OBSERVE, FLAG);
    legal.put(LIMITS, Limits.PRESET_NAMES);
    for (Limit limit : Limit.values()) {
      legal.put(nameOf(limit), limit.legalValues());
    }
    legal.put(CODECS, "a list of none, gzip, snappy, lz4 and zstd");
    legal.put(KEY_REQUIRED, FLAG);
    legal.put(VALUE_REQUIRED, FLAG);
    legal.put(HEADERS_REQUIRED, HEADERS);
    legal.put(HEADERS_FORBIDDEN, HEADERS);
    legal.put(HEADERS_UTF8, FLAG);
    legal.put(KEY_SCHEMA, PLACES);
    legal.put(KEY_SCHEMA_IDS, IDS);
    legal.put(VALUE_SCHEMA, PLACES);
    legal.put(VALUE_SCHEMA_IDS, IDS);
    legal.put(KEY_STARTS, STARTS);
    legal.put(VALUE_STARTS, STARTS);
    legal.put(KEY_BYTES, SIZES);
    legal.put(VALUE_BYTES, SIZES);
    legal.put(MILLISECONDS, FLAG);
    return legal;
  }

  /** {@return the key of a limit} */
  static String nameOf(Limit limit) {
    return LIMITS + "." + limit.label();
  }
}
