import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { now } from '@/ui/clock';
import { useZone } from '@/ui/zone';
import { type Days, readDays } from './days';

/** The period and the search of a report. They live in the URL. */
export function useReportParams() {
  const zone = useZone();
  const [search, setSearch] = useSearchParams();
  const days = useMemo(() => readDays(search, now(), zone), [search, zone]);
  const setDays = useCallback(
    ({ fromDate, toDate }: Days) =>
      setSearch((before) => {
        const after = new URLSearchParams(before);
        after.set('from', fromDate);
        after.set('to', toDate);
        return after;
      }),
    [setSearch],
  );
  const setQ = useCallback(
    (q: string) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before);
          if (q) after.set('q', q);
          else after.delete('q');
          return after;
        },
        { replace: true },
      ),
    [setSearch],
  );
  return { days, q: search.get('q') ?? '', setDays, setQ };
}
