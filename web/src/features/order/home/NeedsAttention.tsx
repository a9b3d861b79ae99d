import { Link, useLocation } from 'react-router';
import type { HomeGroup } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import { fromOrigin, scrollKeyOf } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { formatCount } from '@/ui/numbers';
import { dateAndTime, zoneName } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { allFolders, type Folder } from '../folders';
import { NEED_TEXTS } from '../needs';
import { rememberTrail } from '../orderTrail';
import classes from './NeedsAttention.module.css';

const TITLES: Record<HomeGroup['group'], string> = {
  priority: 'Priority without an owner',
  disputes: 'Disputes by days left',
  emails: NEED_TEXTS.emails.title,
  untouched: NEED_TEXTS.untouched.title,
};

/** Shown in place of the orders of an empty group. */
const NOTHING: Record<HomeGroup['group'], string> = {
  priority: 'Every priority order has an owner.',
  disputes: NEED_TEXTS.disputes.nothing,
  emails: NEED_TEXTS.emails.nothing,
  untouched: NEED_TEXTS.untouched.nothing,
};

interface NeedsAttentionProps {
  groups: readonly HomeGroup[];
  /** When the groups were read. */
  asOf: string;
}

/** The orders that need a member of staff, by reason, each with a link. */
export function NeedsAttention({ groups, asOf }: NeedsAttentionProps) {
  const zone = useZone();
  const isEmpty = groups.every(({ total }) => total === 0);
  return (
    <Card as="section" className={classes.card} aria-labelledby="needs-attention">
      <header className={classes.head}>
        <h2 id="needs-attention">Needs attention</h2>
        <span className={classes.asOf}>
          as of {dateAndTime(asOf, zone).slice(11, 16)} {zoneName(asOf, zone)}
        </span>
      </header>
      {isEmpty ? (
        <p className={classes.done}>
          <strong>All done.</strong> No order needs attention now.
        </p>
      ) : (
        groups.map((group) => <Group key={group.group} group={group} />)
      )}
    </Card>
  );
}

/** The list that shows the orders of a group, and only those where a list can. */
function pathOf(group: HomeGroup['group'], folder: Folder): string {
  return group === 'priority' ? folder.path : paths.needing(folder.path, group);
}

function Group({ group }: { group: HomeGroup }) {
  const location = useLocation();
  const path = location.pathname + location.search;
  const state = fromOrigin({ label: 'Dashboard', path, scrollKey: scrollKeyOf(location) });
  const remember = () => {
    const ids = group.orders.map((order) => order.order_id);
    rememberTrail(ids, path, null);
  };
  const folder = allFolders.find(({ orderName }) => orderName === group.folder);
  return (
    <section aria-label={TITLES[group.group]}>
      <header className={classes.group}>
        <h3>{TITLES[group.group]}</h3>
        <Chip tone={group.total === 0 ? 'done' : 'danger'}>
          {formatCount(group.total)}
          {group.more && '+'}
        </Chip>
        {folder && group.total > 0 && (
          <Link to={pathOf(group.group, folder)} className={classes.all}>
            {group.group in NEED_TEXTS ? `Show all in ${folder.title}` : `Open ${folder.title}`}
          </Link>
        )}
      </header>
      {group.orders.length === 0 && <p className={classes.nothing}>{NOTHING[group.group]}</p>}
      <ul className={classes.orders}>
        {group.orders.map((order) => (
          <li key={order.order_id}>
            <Link
              to={paths.viewOrder(order.order_id)}
              state={state}
              className={classes.order}
              onClick={remember}
            >
              <Chip tone={order.is_urgent ? 'danger' : 'warn'}>{order.reason}</Chip>{' '}
              <span className={classes.number}>{order.order_id}</span>{' '}
              <bdi className={classes.name}>{order.full_name}</bdi>{' '}
              <span className={classes.status}>{statusLabel(order.process_status)}</span>{' '}
              <span className={classes.owner}>{order.assign_to ?? 'Unassigned'}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
