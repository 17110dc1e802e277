// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.profile;

import java.io.PrintWriter;
import java.io.Serializable;
import java.util.TreeMap;

/** The profiles of a bounded number of topics. Not thread-safe. */
public final class Profiles implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int MOST_TOPICS = 10_000;

  private final TreeMap<String, TopicProfile> topics = new TreeMap<>();

  public Profiles() {}

  /**
   * Returns the profile of a topic, which is that of all others if there are too many.
   *
   * @param name the name of the topic, or of a segment whose topic is unknown
   * @param isTopic true if that is a topic
   */
  TopicProfile of(String name, boolean isTopic) {
    boolean hasRoom = topics.size() < MOST_TOPICS || topics.containsKey(name);
    return topics.computeIfAbsent(
        hasRoom ? name : ProfiledValues.OTHERS, each -> new TopicProfile(each, isTopic && hasRoom));
  }

  /** Adds the profiles of batches that follow those so far. */
  public void add(Profiles others) {
    others.topics.forEach((name, profile) -> of(name, profile.isTopic()).add(profile));
  }

  /** Prints the profiles of all topics. */
  public void print(PrintWriter out) {
    topics.values().forEach(profile -> profile.print(out));
  }
}
