import classes from './HomeSkeleton.module.css';

/** Holds the place of the board while it is loading. */
export function HomeSkeleton() {
  return <div className={classes.place} aria-busy="true" />;
}
