import type { FilingValue } from '@/api/types';

/** The values that can be copied, in the portal's order. */
export const copyable = (values: readonly FilingValue[]) =>
  values.filter(({ value }) => Boolean(value));

/** The field to copy after `field`: the next one that is not copied, else the first such one. Null: all are copied. */
export function fieldAfter(
  field: string,
  values: readonly FilingValue[],
  copied: readonly string[],
): string | null {
  const open = (value: FilingValue) => !copied.includes(value.field);
  const all = copyable(values);
  const place = all.findIndex((value) => value.field === field);
  const next = all.slice(place + 1).find(open) ?? all.find(open);
  return next?.field ?? null;
}

/** The field beside `field` in either direction; the first one if there is none yet. */
export function fieldBeside(
  field: string | null,
  by: 1 | -1,
  values: readonly FilingValue[],
): string | null {
  const all = copyable(values);
  const place = all.findIndex((value) => value.field === field);
  const target = place < 0 ? all[0] : all[Math.min(Math.max(place + by, 0), all.length - 1)];
  return target?.field ?? null;
}

/** Counts the values that are copied, those that can be copied, and those that cannot. */
export function progressOf(values: readonly FilingValue[], copied: readonly string[]) {
  const all = copyable(values);
  const done = all.filter(({ field }) => copied.includes(field)).length;
  return { done, all: all.length, missing: values.length - all.length };
}
