import classes from './OrderDetail.module.css';

/** Shown in place of the order while it is loading. */
export function DetailSkeleton() {
  return (
    <div className={classes.columns} aria-hidden="true">
      <div className={classes.papers}>
        <div className={`card ${classes.viewerSkeleton}`} />
        <div className={`card ${classes.data}`}>
          <SkeletonLines count={16} />
        </div>
      </div>
      <div className={classes.work}>
        <div className={`card ${classes.actions}`}>
          <SkeletonLines count={3} />
        </div>
        <div className="card">
          <SkeletonLines count={5} />
        </div>
      </div>
    </div>
  );
}

function SkeletonLines({ count }: { count: number }) {
  return (
    <div className={classes.skeleton}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
