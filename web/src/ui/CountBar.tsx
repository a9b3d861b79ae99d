import classes from './CountBar.module.css';
import { formatCount } from './numbers';

interface BarProps {
  count: number;
  /** The greatest of the counts that it is compared with. */
  most: number;
  /** In pixels, or as a part of its place. */
  width: number | string;
}

/** A bar that compares a count with the greatest one. */
export function Bar({ count, most, width }: BarProps) {
  const filled = most > 0 ? (count / most) * 100 : 0;
  return (
    <svg width={width} height="8" aria-hidden="true">
      <rect width="100%" height="8" rx="2" fill="var(--neutral-soft)" />
      <rect width={`${filled}%`} height="8" rx="2" fill="var(--accent-ink)" />
    </svg>
  );
}

/** A count at the end of its cell, and its bar in the rest of it. */
export function CountBar(bar: Omit<BarProps, 'width'>) {
  return (
    <span className={classes.counted}>
      <Bar {...bar} width="100%" />
      <span className={classes.count}>{formatCount(bar.count)}</span>
    </span>
  );
}
