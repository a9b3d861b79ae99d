import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { RowBudgetReached } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { formatCount } from '@/ui/numbers';
import { StateLine } from '@/ui/StateLine';
import { Time } from '@/ui/Time';
import { rowBudgetsQuery } from './accessLogQuery';

/** The number of members that are named; the access log contains all. */
const SHOWN = 5;

/** A warning about the members who reached their row budget in the last day; nothing if none did. */
export function RowBudgets() {
  const { data, error } = useQuery(rowBudgetsQuery);
  if (error && !data) return <StateLine>Row budgets: {error.message}</StateLine>;
  if (!data || data.length === 0) return null;
  return (
    <StateLine isWarning aria-label="Row budgets">
      {data.slice(0, SHOWN).map((reached) => (
        <p key={`${reached.person} ${reached.hour}`}>
          <Reached reached={reached} />
        </p>
      ))}
      {data.length > SHOWN && <p>And {data.length - SHOWN} more in the last day.</p>}
      <p>
        Check in the <Link to={paths.accessLog}>access log</Link> what they looked at.
      </p>
    </StateLine>
  );
}

function Reached({ reached }: { reached: RowBudgetReached }) {
  const { person, rows, rows_per_hour: budget, hour, is_stopped: isStopped } = reached;
  return (
    <>
      <bdi>{person}</bdi> has seen {formatCount(rows)} rows about customers in the hour from{' '}
      <Time iso={hour} />, with a budget of {formatCount(budget)}
      {isStopped ? ', and is stopped until the hour is over.' : '.'}
    </>
  );
}
