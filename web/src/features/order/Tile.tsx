import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount } from '@/ui/numbers';
import classes from './Tile.module.css';

interface TilesProps {
  /** The tiles of a row on a wide screen. */
  perRow: 'five' | 'six';
  children: ReactNode;
}

/** A grid of tiles, as list items. */
export function Tiles({ perRow, children }: TilesProps) {
  return <ul className={`${classes.tiles} ${classes[perRow]}`}>{children}</ul>;
}

interface TileProps {
  title: ReactNode;
  /** Undefined while it is loading. */
  count: number | undefined;
  to: string;
  urgent?: boolean;
  /** Steps back behind the others. */
  quiet?: boolean;
  /** Shown below the count. */
  children?: ReactNode;
}

/** A count that links to its list. */
export function Tile({ title, count, to, urgent = false, quiet = false, children }: TileProps) {
  return (
    <li>
      <Link
        to={to}
        className={classes.tile}
        data-urgent={urgent || undefined}
        data-quiet={quiet || undefined}
      >
        <span className={classes.title}>{title}</span>{' '}
        <span className={classes.count}>{count === undefined ? '\u2013' : formatCount(count)}</span>
        {children}
      </Link>
    </li>
  );
}
