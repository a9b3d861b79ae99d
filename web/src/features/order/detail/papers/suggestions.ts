import type { OrderDetails, PaperFinding } from '@/api/types';
import type { Changes } from '../corrections/correctionCall';
import { valueOf, type FieldName } from '../orderFields';

const SEXES: Readonly<Record<string, string>> = { F: 'Female', M: 'Male' };

/**
 * The correction that takes over what the passport says, for a finding that differs; null if the passport spells it in another way than
 * orders do, as a state.
 */
export function suggestionOf(order: OrderDetails, { field, read }: PaperFinding): Changes | null {
  const values = read ? valuesOf(order, field, read) : null;
  if (!values) return null;
  const changes: Changes = {};
  for (const [name, after] of Object.entries(values) as [FieldName, string][]) {
    const before = valueOf(order, name);
    if (before !== after) changes[name] = { before: before || null, after: after || null };
  }
  return Object.keys(changes).length > 0 ? changes : null;
}

function valuesOf(
  order: OrderDetails,
  field: PaperFinding['field'],
  read: string,
): Partial<Record<FieldName, string>> | null {
  const given = [order.first_name, order.middle_name].filter(Boolean).join(' ');
  switch (field) {
    case 'surname':
      return { last_name: read, full_name: [given, read].filter(Boolean).join(' ') };
    case 'given_names':
      return {
        first_name: read,
        middle_name: '',
        full_name: `${read} ${order.last_name ?? ''}`.trim(),
      };
    case 'full_name':
    case 'document_number':
    case 'date_of_birth':
    case 'date_of_expiry':
      return { [field]: read };
    case 'sex':
      return SEXES[read] ? { sex: SEXES[read] } : null;
    default:
      return null;
  }
}
