import classes from './DetailSkeleton.module.css';
import layout from './layout.module.css';

/** Shown in place of the order while it is loading. */
export function DetailSkeleton() {
  return (
    <div className={layout.columns} aria-hidden="true">
      <div className={layout.papers}>
        <div className={`card ${classes.viewer}`} />
        <div className={`card ${layout.data}`}>
          <SkeletonLines count={16} />
        </div>
      </div>
      <div className={layout.work}>
        <div className={`card ${layout.actions}`}>
          <SkeletonLines count={3} flat />
        </div>
        <div className="card">
          <SkeletonLines count={5} />
        </div>
      </div>
    </div>
  );
}

function SkeletonLines({ count, flat = false }: { count: number; flat?: boolean }) {
  return (
    <div className={classes.lines} data-flat={flat || undefined}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
