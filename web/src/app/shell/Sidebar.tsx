import { useQuery } from '@tanstack/react-query';
import { Link, NavLink, useLocation } from 'react-router';
import type { UserInfo } from '@/api/types';
import type { Folder } from '@/features/order/folders';
import { folderCountsQuery } from '@/features/order/orderQueries';
import {
  pathOfView,
  savedViewCountsQuery,
  savedViewsQuery,
  viewCountText,
} from '@/features/order/savedViews/savedViewCalls';
import { paths } from '@/paths/staffPaths';
import { signOut } from '@/session/session';
import { Button } from '@/ui/Button';
import { officeLinks } from './officeLinks';
import { formatCount } from '@/ui/numbers';
import classes from './Sidebar.module.css';

const SECTIONS = ['Work', 'Waiting', 'Done'] as const;

interface SidebarProps {
  me: UserInfo;
  /** The folders this person sees. */
  folders: readonly Folder[];
}

export function Sidebar({ me, folders }: SidebarProps) {
  const counts = useQuery(folderCountsQuery(me.name));
  const views = useQuery(savedViewsQuery);
  return (
    <div className={classes.nav}>
      {counts.error && (
        <p className={classes.notice} role="status">
          Couldn’t refresh the counts.{' '}
          <Button small onClick={() => void counts.refetch()}>
            Reload counts
          </Button>
        </p>
      )}
      {SECTIONS.map((section) => (
        <section key={section} aria-labelledby={`section-${section}`}>
          <h2 id={`section-${section}`} className={classes.section}>
            {section}
          </h2>
          {section === 'Work' && (
            <NavLink to={paths.home} end className={classes.link}>
              Dashboard
            </NavLink>
          )}
          {folders
            .filter((folder) => folder.section === section)
            .map(({ path, title, linkLabel, countKey }) => (
              <NavLink key={path} to={path} className={classes.link}>
                {linkLabel ?? title}{' '}
                <span className={classes.count}>
                  {counts.data && formatCount(counts.data[countKey])}
                </span>
              </NavLink>
            ))}
        </section>
      ))}
      <Views />
      {/* Not before the views above it are known: nothing moves when they arrive. */}
      {(!views.isPending || views.failureCount > 0) && <Office me={me} />}
    </div>
  );
}

function Views() {
  const { pathname, search } = useLocation();
  const { data } = useQuery(savedViewsQuery);
  const views = data?.views ?? [];
  const counts = useQuery({ ...savedViewCountsQuery, enabled: views.length > 0 });
  if (views.length === 0) return null;
  const countOf = (id: number) => counts.data?.find(({ view_id: of }) => of === id)?.count;
  return (
    <section aria-labelledby="section-views">
      <h2 id="section-views" className={classes.section}>
        Views
      </h2>
      {views.map((view) => (
        <Link
          key={view.view_id}
          to={pathOfView(view)}
          className={classes.link}
          aria-current={pathOfView(view) === pathname + search || undefined}
          title={view.is_shared ? `${view.name}, shared by ${view.by}` : view.name}
        >
          <bdi className={classes.name}>{view.name}</bdi>{' '}
          <span className={classes.count}>{viewCountText(countOf(view.view_id))}</span>
        </Link>
      ))}
    </section>
  );
}

function Office({ me }: Pick<SidebarProps, 'me'>) {
  return (
    <>
      <section aria-labelledby="section-office">
        <h2 id="section-office" className={classes.section}>
          Office
        </h2>
        {officeLinks
          .filter(({ seenWith }) => seenWith === undefined || me.may[seenWith])
          .map(({ path, title }) => (
            <NavLink key={path} to={path} className={classes.link}>
              {title}
            </NavLink>
          ))}
      </section>
      <button type="button" className={`${classes.link} ${classes.logout}`} onClick={signOut}>
        Logout
      </button>
    </>
  );
}
