/** The filters of lists, in the order of their chips. The name of a member may load later, so it moves no other chip. */
export const FILTER_KEYS = [
  'status',
  'visa',
  'nationality',
  'mode',
  'requirement',
  'from',
  'to',
  'arrival_from',
  'arrival_to',
  'owner',
] as const;
export type FilterKey = (typeof FILTER_KEYS)[number];

/** The values that orders must have, none of them empty. The server checks them. */
export type ListFilter = Partial<Record<FilterKey, string>>;

const NO_FILTER: ListFilter = {};

/** The filter in the address of a list. */
export function readFilter(search: URLSearchParams): ListFilter {
  const given = FILTER_KEYS.flatMap((key) => {
    const value = search.get(key);
    return value ? [[key, value] as const] : [];
  });
  return given.length === 0 ? NO_FILTER : Object.fromEntries(given);
}

/** Returns true if the filter leaves out nothing. */
export function isEmpty(filter: ListFilter): boolean {
  return Object.keys(filter).length === 0;
}
