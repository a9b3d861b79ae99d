import { Card } from '@/ui/Card';
import classes from './DetailSkeleton.module.css';
import layout from './layout.module.css';

/** Shown in place of the order while it is loading. */
export function DetailSkeleton() {
  return (
    <div className={layout.columns} aria-hidden="true">
      <div className={layout.papers}>
        <Card className={classes.viewer} />
        <Card className={layout.data}>
          <SkeletonLines count={16} />
        </Card>
      </div>
      <div className={layout.work}>
        <Card className={layout.actions}>
          <SkeletonLines count={3} flat />
        </Card>
        <Card>
          <SkeletonLines count={5} />
        </Card>
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
