import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { answer, api } from '@/api/client';
import type { InboxItem } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { markUnread } from '@/session/live';
import { Dialog } from '@/ui/Dialog';
import { Time } from '@/ui/Time';
import { TryAgain } from '@/ui/TryAgain';
import classes from './InboxDialog.module.css';

const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => answer(api.GET('/api/admin/inbox', { signal })),
  gcTime: 0,
});

const HAPPENED: Record<InboxItem['kind'], string> = {
  mention: 'mentioned you in',
  given: 'gave you',
  taken: 'gave to somebody else your',
  claim: 'took over from you the filing of',
};

/** The member's inbox. All of it is read once it is shown. */
export function InboxDialog({ zone, onClose }: { zone: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(inboxQuery);
  const newest = data?.data[0]?.inbox_id;
  const hasUnread = data !== undefined && data.unread > 0;
  useEffect(() => {
    if (newest === undefined || !hasUnread) return;
    const read = answer(api.PUT('/api/admin/read-inbox', { body: { inboxId: newest } }));
    // What could not be marked stays unread, and is shown again.
    void read.then(() => markUnread(0)).catch(() => undefined);
  }, [newest, hasUnread]);
  return (
    <Dialog title="Inbox" onClose={onClose}>
      <div className={classes.content} aria-busy={!data && !error}>
        {error && (
          <p role="alert">
            {error.message} <TryAgain small onClick={() => void refetch()} />
          </p>
        )}
        {data?.data.length === 0 && (
          <p>Nothing yet. A colleague who writes @ and your name in a comment tells you here.</p>
        )}
        <ul className={classes.entries}>
          {data?.data.map((entry) => (
            <li key={entry.inbox_id} data-unread={!entry.is_read || undefined}>
              <p>
                <bdi>{entry.by}</bdi> {HAPPENED[entry.kind]}{' '}
                <Link to={paths.viewOrder(entry.order_id)} onClick={onClose}>
                  order {entry.order_id}
                </Link>{' '}
                <span className={classes.soft}>
                  <Time iso={entry.created_at} zone={zone} />
                </span>
              </p>
              {entry.remark && (
                <p className={classes.remark} dir="auto">
                  {entry.remark}
                </p>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
