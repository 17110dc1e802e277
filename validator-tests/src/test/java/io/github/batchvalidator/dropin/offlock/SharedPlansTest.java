// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.offlock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Policy;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedPlansTest {
  /** Final fields keep another thread from seeing an incomplete plan or policy. */
  @ParameterizedTest
  @ValueSource(classes = {InspectionPlan.class, Policy.class})
  void sharedPlansHaveFinalFields(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      assertTrue(field.isSynthetic() || Modifier.isFinal(field.getModifiers()), field::toString);
    }
  }
}
