import classes from './OrderDetail.module.css';

/** Where the order will stand, while it is on its way. */
export function DetailSkeleton() {
  return (
    <div className={classes.columns} aria-hidden="true">
      <div className={classes.papers}>
        <div className={`card ${classes.viewerBone}`} />
        <div className={`card ${classes.data}`}>
          <Bones count={16} />
        </div>
      </div>
      <div className={classes.work}>
        <div className={`card ${classes.actions}`}>
          <Bones count={3} />
        </div>
        <div className="card">
          <Bones count={5} />
        </div>
      </div>
    </div>
  );
}

function Bones({ count }: { count: number }) {
  return (
    <div className={classes.bones}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
