export const numbers = new Intl.NumberFormat('en');

/** What a column adds up to, as people read it. */
export function sumOf<Key extends string>(rows: readonly Record<Key, number>[], key: Key): string {
  return numbers.format(rows.reduce((sum, row) => sum + row[key], 0));
}
