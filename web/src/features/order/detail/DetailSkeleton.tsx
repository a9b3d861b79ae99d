import { Card } from '@/ui/Card';
import classes from './DetailSkeleton.module.css';
import layout from './layout.module.css';

/** Shown in place of the order while it is loading. */
export function DetailSkeleton() {
  return (
    <div className={layout.parts} aria-hidden="true">
      <div className={layout.work}>
        <SkeletonCard lines={3} />
        <SkeletonCard lines={6} />
        <SkeletonCard lines={12} />
      </div>
      <div className={layout.main}>
        <div className={layout.papers}>
          <Card className={classes.viewer} />
        </div>
        <div className={layout.data}>
          <SkeletonCard lines={16} />
        </div>
      </div>
    </div>
  );
}

function SkeletonCard({ lines }: { lines: number }) {
  return (
    <Card className={classes.lines}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} />
      ))}
    </Card>
  );
}
