import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { UserInfo } from '@/api/types';
import { useMe } from '@/session/me';
import { rowBudgetsQuery } from '@/features/audit/accessLogQuery';
import { RowBudgets } from '@/features/audit/RowBudgets';
import { backupsQuery } from '@/features/backup/backupsQuery';
import { BackupStatus } from '@/features/backup/BackupStatus';
import { TakeNext } from '@/features/order/actions/TakeNext';
import { refundApprovalCountsQuery } from '@/features/order/approvals/approvalCalls';
import { WaitingApprovals } from '@/features/order/approvals/WaitingApprovals';
import { FolderTiles } from '@/features/order/FolderTiles';
import { HomeSkeleton } from '@/features/order/home/HomeSkeleton';
import { lazyComponent } from '@/ui/loadChunk';
import classes from './HomePage.module.css';
import { plainDate } from '@/ui/times';
import { useToday } from '@/ui/useToday';

const HomeBoard = lazyComponent('HomeBoard', () => import('@/features/order/home/HomeBoard'));

export function HomePage() {
  const me = useMe();
  const today = useToday(me.agency_time_zone);
  const isComplete = useNotices(me);
  const weekday = new Date(today).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return (
    <>
      <header className={classes.head}>
        <h1>Dashboard</h1>
        <time dateTime={today} className={classes.day}>
          {weekday}, {plainDate(today)}
        </time>
        <div className={classes.take}>
          <TakeNext kind="primary" />
        </div>
      </header>
      <FolderTiles userName={me.name} />
      <div className={classes.approvals}>
        <WaitingApprovals />
      </div>
      {me.may.see_access_log && <RowBudgets />}
      {me.may.see_backups && <BackupStatus />}
      {isComplete && (
        <div className={classes.board}>
          <Suspense fallback={<HomeSkeleton />}>
            <HomeBoard />
          </Suspense>
        </div>
      )}
    </>
  );
}

/**
 * Returns true once the notices above the board are known. The board waits for them: none of them
 * moves it.
 */
function useNotices({ may }: UserInfo): boolean {
  const approvals = useQuery(refundApprovalCountsQuery);
  const budgets = useQuery({ ...rowBudgetsQuery, enabled: may.see_access_log });
  const backups = useQuery({ ...backupsQuery, enabled: may.see_backups });
  return [approvals, budgets, backups].every(({ isLoading }) => !isLoading);
}
