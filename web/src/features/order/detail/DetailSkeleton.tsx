import { Card } from '@/ui/Card';
import classes from './DetailSkeleton.module.css';
import layout from './layout.module.css';

/** Shown in place of the order while it is loading. */
export function DetailSkeleton() {
  return (
    <div className={layout.parts} aria-hidden="true">
      <div className={layout.work}>
        <Card>
          <SkeletonLines count={3} />
        </Card>
        <Card>
          <SkeletonLines count={6} />
        </Card>
        <Card>
          <SkeletonLines count={12} />
        </Card>
      </div>
      <div className={layout.main}>
        <div className={layout.papers}>
          <Card className={classes.viewer} />
        </div>
        <div className={layout.data}>
          <Card>
            <SkeletonLines count={16} />
          </Card>
        </div>
      </div>
    </div>
  );
}

function SkeletonLines({ count }: { count: number }) {
  return (
    <div className={classes.lines}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
