// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.policy;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Prefix;
import io.github.batchvalidator.rule.SchemaIds;
import io.github.batchvalidator.rule.SchemaPlace;
import io.github.batchvalidator.rule.SizeRange;
import io.github.batchvalidator.rule.TopicRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The syntax of the values of a policy file, one constant for each type of value. A {@link
 * TopicRule} of a known type needs nothing here.
 *
 * @param <T> the type of the value
 * @param legal the legal values, in words
 * @param parser returns the value of an entry, or null if the entry is not legal
 * @param printer returns a value as text
 */
record ValueSyntax<T>(String legal, Parser<T> parser, Function<T, String> printer) {
  private static final Pattern SIZES = Pattern.compile("([0-9]{1,10})\\s*-\\s*([0-9]{1,10})");

  static final ValueSyntax<Boolean> FLAG =
      new ValueSyntax<>("true or false", (entry, ids) -> flag(entry.value()), String::valueOf);

  static final ValueSyntax<Level> LEVEL =
      new ValueSyntax<>(
          "kafka or strict", (entry, ids) -> constant(Level.class, entry), ValueSyntax::label);

  private static final ValueSyntax<SchemaPlace> PLACE =
      new ValueSyntax<>(
          "none, payload, header or either",
          (entry, ids) -> constant(SchemaPlace.class, entry),
          ValueSyntax::label);

  private static final ValueSyntax<Set<Codec>> CODECS =
      new ValueSyntax<>(
          "a list of none, gzip, snappy, lz4 and zstd",
          (entry, ids) -> codecs(entry.list()),
          codecs -> join(codecs.stream().sorted().map(ValueSyntax::label).toList()));

  private static final ValueSyntax<List<String>> HEADERS =
      new ValueSyntax<>("a list of header keys", (entry, ids) -> entry.list(), ValueSyntax::join);

  private static final ValueSyntax<List<Prefix>> STARTS =
      new ValueSyntax<>(
          "a list of " + Prefix.LEGAL_VALUES,
          (entry, ids) -> starts(entry.list()),
          ValueSyntax::join);

  private static final ValueSyntax<SizeRange> RANGE =
      new ValueSyntax<>(
          "two sizes in bytes such as 1-1000",
          (entry, ids) -> range(entry.value()),
          SizeRange::toString);

  static final ValueSyntax<SchemaIds> IDS =
      new ValueSyntax<>(
          "a list of ids such as 17, ranges such as 100-199, global:17 for Apicurio's global ids,"
              + " GUIDs, file:PATH for a file with one of these per line; or any",
          (entry, ids) -> ids.of(entry),
          SchemaIds::toString);

  private static final Map<Class<?>, ValueSyntax<?>> BY_TYPE =
      Map.of(
          Boolean.class, FLAG,
          Codec.class, CODECS,
          String.class, HEADERS,
          Prefix.class, STARTS,
          SizeRange.class, RANGE,
          SchemaPlace.class, PLACE,
          SchemaIds.class, IDS);

  /** A parser of the value of an entry. */
  @FunctionalInterface
  interface Parser<T> {
    /**
     * {@return the value, or null if it is not legal}
     *
     * @param ids reads schema ids
     * @throws IllegalArgumentException if the value is not legal, with a text for the operator
     */
    @Nullable T parse(PolicyLines.Entry entry, SchemaIdSets ids);
  }

  /** {@return the syntax of the values of a rule} */
  @SuppressWarnings("unchecked") // the map has the type of the rule as its key
  static <T> ValueSyntax<T> of(TopicRule<T> rule) {
    ValueSyntax<?> syntax = BY_TYPE.get(rule.type());
    if (syntax == null) {
      throw new IllegalStateException(rule + " has values without a syntax: " + rule.type());
    }
    return (ValueSyntax<T>) syntax;
  }

  private static @Nullable Boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  private static <E extends Enum<E>> @Nullable E constant(Class<E> type, PolicyLines.Entry entry) {
    for (E constant : type.getEnumConstants()) {
      if (label(constant).equals(entry.value())) {
        return constant;
      }
    }
    return null;
  }

  private static @Nullable Set<Codec> codecs(List<String> names) {
    Set<Codec> codecs = EnumSet.noneOf(Codec.class);
    for (String name : names) {
      Codec codec = codec(name.toLowerCase(Locale.ROOT));
      if (codec == null) {
        return null;
      }
      codecs.add(codec);
    }
    return codecs.isEmpty() ? null : codecs;
  }

  private static @Nullable Codec codec(String name) {
    for (Codec codec : Codec.values()) {
      if (label(codec).equals(name)) {
        return codec;
      }
    }
    return null;
  }

  private static List<Prefix> starts(List<String> texts) {
    List<Prefix> starts = new ArrayList<>();
    for (String text : texts) {
      Prefix start = Prefix.parse(text);
      if (start == null) {
        throw new IllegalArgumentException(
            PolicyProblems.shorten(text) + " is not legal; legal is " + Prefix.LEGAL_VALUES);
      }
      starts.add(start);
    }
    return starts;
  }

  private static @Nullable SizeRange range(String text) {
    Matcher matcher = SIZES.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    long least = Long.parseLong(matcher.group(1));
    long most = Long.parseLong(matcher.group(2));
    return least > most || most > Integer.MAX_VALUE ? null : new SizeRange((int) least, (int) most);
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String join(Collection<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
