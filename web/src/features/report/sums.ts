import { formatCount } from '@/ui/numbers';

/** The sum of a column. */
export function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): string {
  return formatCount(rows.reduce((sum, row) => sum + row[key], 0));
}
