import { Link, useLocation } from 'react-router';
import type { FilingWarning } from '@/api/types';
import type { DetailTab } from '../DetailTabs';
import classes from './filing.module.css';

/** The part of the order in which a warning is dealt with. */
const PARTS: Record<FilingWarning['place'], DetailTab> = {
  trip: 'data',
  checks: 'data',
  documents: 'documents',
};

/** What is still open. Nothing of it stops a filing. */
export function FilingWarnings({ warnings }: { warnings: readonly FilingWarning[] }) {
  const { state } = useLocation();
  if (warnings.length === 0) return null;
  const count = warnings.length === 1 ? '1 warning is' : `${warnings.length} warnings are`;
  return (
    <section className={classes.warnings} aria-label="Open warnings">
      <h2>{count} open. They do not stop you; a fee is not returned.</h2>
      <ul>
        {warnings.map(({ text, place }) => (
          <li key={text}>
            <bdi>{text}</bdi>{' '}
            <Link to={{ search: '', hash: PARTS[place] }} state={state}>
              Open in the order
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
