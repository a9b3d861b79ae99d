import { lazy, Suspense } from 'react';
import { useMe } from '@/features/auth/me';
import { RowBudgets } from '@/features/audit/RowBudgets';
import { BackupStatus } from '@/features/backup/BackupStatus';
import { WaitingApprovals } from '@/features/order/approvals/WaitingApprovals';
import { FolderTiles } from '@/features/order/FolderTiles';
import { HomeSkeleton } from '@/features/order/home/HomeSkeleton';
import { loadChunk } from '@/ui/loadChunk';
import classes from './HomePage.module.css';
import { plainDate } from '@/ui/times';
import { useToday } from '@/ui/useToday';

const HomeBoard = lazy(async () => ({
  default: (await loadChunk('home', () => import('@/features/order/home/HomeBoard'))).HomeBoard,
}));

export function HomePage() {
  const me = useMe();
  const today = useToday(me.agency_time_zone);
  const weekday = new Date(today).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return (
    <>
      <header className={classes.head}>
        <h1>Dashboard</h1>
        <time dateTime={today} className={classes.day}>
          {weekday}, {plainDate(today)}
        </time>
      </header>
      <FolderTiles userName={me.name} />
      <div className={classes.approvals}>
        <WaitingApprovals />
      </div>
      {me.may.see_access_log && <RowBudgets zone={me.agency_time_zone} />}
      {me.may.see_backups && <BackupStatus zone={me.agency_time_zone} />}
      <div className={classes.board}>
        <Suspense fallback={<HomeSkeleton />}>
          <HomeBoard zone={me.agency_time_zone} />
        </Suspense>
      </div>
    </>
  );
}
