import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { answer, api } from '@/api/client';
import { paths } from '@/paths/staffPaths';
import { allowNotices, canNotify, HAPPENED } from '@/session/desktopNotices';
import { markUnread } from '@/session/live';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog } from '@/ui/Dialog';
import { useNoticeSwitch } from '@/ui/storedSwitch';
import { Time } from '@/ui/Time';
import { TryAgain } from '@/ui/TryAgain';
import classes from './InboxDialog.module.css';

const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => answer(api.GET('/api/admin/inbox', { signal })),
  gcTime: 0,
});

/** The member's inbox. All of it is read once it is shown. */
export function InboxDialog({ onClose }: { onClose: () => void }) {
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
                  <Time iso={entry.created_at} />
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
      {canNotify() && <NoticeSwitch />}
    </Dialog>
  );
}

/** Turns the notices outside the window on and off, in this browser. */
function NoticeSwitch() {
  const { on, turn } = useNoticeSwitch();
  const [isRefused, setRefused] = useState(false);
  const change = async (wanted: boolean) => {
    const isAllowed = !wanted || (await allowNotices());
    setRefused(!isAllowed);
    turn(wanted && isAllowed);
  };
  return (
    <div className={classes.notices}>
      <Checkbox
        label="Notify me when this window is hidden"
        checked={on}
        onChange={({ target }) => void change(target.checked)}
      />
      {isRefused && (
        <p role="alert">
          This browser does not allow it. Allow notifications for this address in its settings.
        </p>
      )}
    </div>
  );
}
