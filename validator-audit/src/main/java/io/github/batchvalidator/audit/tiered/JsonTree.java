// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.tiered;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object whose fields are requested by type. A field that is absent or has another type is
 * an {@link InvalidManifestException}.
 */
final class JsonTree {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final String path;
  private final Map<String, @Nullable Object> fields;

  private JsonTree(String path, Map<String, @Nullable Object> fields) {
    this.path = path;
    this.fields = fields;
  }

  /** Reads the only object of a stream. */
  static JsonTree read(InputStream in) throws IOException {
    try (JsonParser parser = FACTORY.createParser(in)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new InvalidManifestException("the manifest is not a JSON object");
      }
      JsonTree tree = object("", parser);
      if (parser.nextToken() != null) {
        throw new InvalidManifestException("bytes follow the JSON object");
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw new InvalidManifestException("the manifest is not JSON: " + e.getOriginalMessage());
    }
  }

  private static JsonTree object(String path, JsonParser parser) throws IOException {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, value(path + name, parser));
    }
    return new JsonTree(path, fields);
  }

  private static @Nullable Object value(String path, JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return object(path + ".", parser);
    }
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return parser.getLongValue();
    }
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return parser.getBooleanValue();
    }
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    parser.skipChildren(); // manifests have no arrays that are needed
    return token == JsonToken.START_ARRAY ? path : parser.getText();
  }

  /** Returns true if a field is present and not null. */
  boolean has(String name) {
    return fields.get(name) != null;
  }

  Iterable<String> names() {
    return fields.keySet();
  }

  JsonTree object(String name) throws InvalidManifestException {
    return get(name, JsonTree.class, "an object");
  }

  String text(String name) throws InvalidManifestException {
    return get(name, String.class, "a text");
  }

  boolean flag(String name) throws InvalidManifestException {
    return get(name, Boolean.class, "true or false");
  }

  long number(String name) throws InvalidManifestException {
    return get(name, Long.class, "an integer");
  }

  /** Returns a number that is at least a limit, and fits four bytes. */
  int size(String name, int least) throws InvalidManifestException {
    long value = number(name);
    if (value < least || value > Integer.MAX_VALUE) {
      throw new InvalidManifestException(path + name + " is " + value);
    }
    return (int) value;
  }

  private <T> T get(String name, Class<T> type, String what) throws InvalidManifestException {
    Object value = fields.get(name);
    if (!type.isInstance(value)) {
      String why = value == null ? " is missing" : " is not " + what;
      throw new InvalidManifestException(path + name + why);
    }
    return type.cast(value);
  }
}
