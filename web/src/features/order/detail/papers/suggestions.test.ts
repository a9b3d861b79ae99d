import { expect, test } from 'vitest';
import { detailsOf } from '@/testing/orderDetails';
import { suggestionOf } from './suggestions';

const differs = (field: 'surname' | 'given_names', read: string) =>
  ({ field, label: '', typed: null, read, finding: 'differs', values_hash: '' }) as never;

test('a name without the other part has no space around it', () => {
  const order = detailsOf(100234, { first_name: null, middle_name: null, last_name: null });
  expect(suggestionOf(order, differs('surname', 'CLARKE'))?.['full_name']?.after).toBe('CLARKE');
  expect(suggestionOf(order, differs('given_names', 'EMILY'))?.['full_name']?.after).toBe('EMILY');
});
