import { statusLabel } from '@/i18n/statusLabel';
import type { OpenRequirement, ProcessStatus } from '@/api/types';
import { dateText } from '@/ui/dateText';
import { folders } from '../folders';
import { STATUSES } from '../statuses';
import { FILTER_KEYS, type FilterKey } from './filterKeys';

/** Owners that are no member. */
export const UNASSIGNED = 'none';
export const ME = 'me';

export const STATUS_VALUES = Object.keys(STATUSES) as ProcessStatus[];
/** The texts of open requirements, those that lists show. */
export const REQUIREMENTS: Record<OpenRequirement, string> = {
  documents_requested: 'Documents requested',
  documents_received: 'Documents are in',
  documents_missing: 'Documents missing',
  documents_to_review: 'Documents to review',
  visa_to_review: 'Visa to review',
  unclear_fields: 'Fields unclear',
  email_not_sent: 'Email not sent',
  nothing: 'Nothing open',
};
export const REQUIREMENT_VALUES = Object.keys(REQUIREMENTS) as OpenRequirement[];

export const MODES = ['Regular Processing', 'Priority Processing'] as const;

/** The filters that a list offers: not those for which all of its orders have one value. */
export function filtersOf(orderName: string): readonly FilterKey[] {
  const isOf = (...some: { orderName: string }[]) =>
    some.some((one) => one.orderName === orderName);
  const without = new Set<FilterKey>();
  if (!isOf(folders.myOrder, folders.allOrder)) without.add('status');
  if (isOf(folders.newOrder, folders.priorityOrder)) without.add('mode').add('owner');
  if (isOf(folders.myOrder)) without.add('owner');
  return FILTER_KEYS.filter((key) => !without.has(key));
}

/** The text of a filter's chip. `nameOf` gives the name of a member, once it is known. */
export function filterText(
  key: FilterKey,
  value: string,
  nameOf: (id: string) => string | undefined,
): string {
  switch (key) {
    case 'status': {
      const status = STATUS_VALUES.find((one) => one === value);
      return `Status: ${status ? statusLabel(status) : value}`;
    }
    case 'visa':
      return `Visa: ${value}`;
    case 'nationality':
      return `Nationality: ${value}`;
    case 'mode':
      return value;
    case 'requirement': {
      const requirement = REQUIREMENT_VALUES.find((one) => one === value);
      return requirement ? REQUIREMENTS[requirement] : `Requirement: ${value}`;
    }
    case 'from':
      return `Received from ${dateText(value)}`;
    case 'to':
      return `Received until ${dateText(value)}`;
    case 'arrival_from':
      return `Arrival from ${dateText(value)}`;
    case 'arrival_to':
      return `Arrival until ${dateText(value)}`;
    case 'owner':
      if (value === UNASSIGNED) return 'Unassigned';
      return `Owner: ${value === ME ? 'me' : (nameOf(value) ?? `member ${value}`)}`;
  }
}
