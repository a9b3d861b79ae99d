import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { FilingWarning, OrderFiling } from '@/api/types';
import type { DetailTab } from '../DetailTabs';
import classes from './filing.module.css';

/** Where a warning is dealt with: a tab of the order, or a view of its own. */
const PLACES: Record<
  FilingWarning['place'],
  { search: string; hash: DetailTab | ''; link: string }
> = {
  trip: { search: '', hash: 'data', link: 'Open in the order' },
  checks: { search: '', hash: 'data', link: 'Open in the order' },
  papers: { search: '?view=papers', hash: '', link: 'Open the documents' },
};

/**
 * The warnings that are still open. None of them stops a filing. Those of an order that is filed while it is shown stay until it
 * is left: the values below are being copied, and must not move when a colleague files it.
 */
export function FilingWarnings({ filing }: { filing: OrderFiling }) {
  const { state } = useLocation();
  const [warnings, setWarnings] = useState<readonly FilingWarning[]>(filing.warnings);
  if (filing.can_file && warnings !== filing.warnings) setWarnings(filing.warnings);
  if (warnings.length === 0) return null;
  const count = warnings.length === 1 ? '1 open warning' : `${warnings.length} open warnings`;
  return (
    <section className={classes.warnings} aria-label="Open warnings">
      <h2>
        {filing.can_file
          ? `${count}. You can still file, but the fee is not refunded.`
          : `${count} when this order was filed.`}
      </h2>
      <ul>
        {warnings.map(({ text, place }) => {
          const { link, ...to } = PLACES[place];
          return (
            <li key={text}>
              <bdi>{text}</bdi>{' '}
              <Link to={to} state={state}>
                {link}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
