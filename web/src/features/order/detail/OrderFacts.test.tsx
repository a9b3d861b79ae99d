import { expect, test } from 'vitest';
import { detailsOf } from '@/testing/orderDetails';
import { sectionsOf } from './OrderFacts';
import { SECTIONS, type OrderField } from './orderFields';

test('every field of the table is shown, unless it is part of another', () => {
  const sections = sectionsOf(detailsOf(100234), { onWrite: () => {}, onCorrect: undefined });
  const shown = sections.flatMap(({ facts }) => facts.map(({ label }) => label));
  const fields: readonly OrderField[] = Object.values(SECTIONS).flat();
  const labels = fields.filter(({ isPart }) => !isPart).map(({ label }) => label);
  // The unit of the stay is written behind its number.
  expect(shown).toEqual(
    expect.arrayContaining(labels.map((label) => label.replace(' (days)', ''))),
  );
});
