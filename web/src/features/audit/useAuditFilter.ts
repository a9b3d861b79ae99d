import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { type AuditFilter, NO_FILTER } from './auditQuery';

const KEYS = Object.keys(NO_FILTER) as (keyof AuditFilter)[];

/** The filters of the audit or of the access log. They live in the URL. */
export function useAuditFilter() {
  const [search, setSearch] = useSearchParams();
  const filter = useMemo(() => {
    const read = KEYS.map((key) => [key, search.get(key) ?? '']);
    return Object.fromEntries(read) as Record<keyof AuditFilter, string>;
  }, [search]);
  const setFilter = useCallback(
    (filter: AuditFilter) =>
      setSearch(
        KEYS.filter((key) => filter[key] !== '').map((key): [string, string] => [key, filter[key]]),
      ),
    [setSearch],
  );
  return { filter, setFilter };
}
