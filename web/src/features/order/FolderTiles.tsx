import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { folders, tileFolders } from './folders';
import { formatCount } from '@/ui/numbers';
import classes from './FolderTiles.module.css';
import { folderCountsQuery } from './orderQueries';

/** The five folders of the home screen, each with its count. */
export function FolderTiles({ userName }: { userName: string }) {
  const counts = useQuery(folderCountsQuery(userName));
  const urgent = folders.priorityOrder.countKey;
  return (
    <ul className={`${classes.tiles} ${classes.five}`}>
      {tileFolders.map(({ title, path, countKey }) => {
        const count = counts.data?.[countKey];
        return (
          <li key={path}>
            <Link
              to={path}
              className={classes.tile}
              data-urgent={(countKey === urgent && count !== undefined && count > 0) || undefined}
            >
              <span className={classes.title}>{title}</span>{' '}
              <span className={classes.count}>
                {count === undefined ? '\u2013' : formatCount(count)}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
