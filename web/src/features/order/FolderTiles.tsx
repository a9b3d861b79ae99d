import { useQuery } from '@tanstack/react-query';
import { ListNotice } from '@/ui/ListNotice';
import { folders, tileFolders } from './folders';
import { folderCountsQuery } from './orderQueries';
import { Tile, Tiles } from './Tile';

/** The five folders of the home screen, each with its count. */
export function FolderTiles({ userName }: { userName: string }) {
  const { data: counts, error, refetch } = useQuery(folderCountsQuery(userName));
  const urgent = folders.priorityOrder.countKey;
  if (error && !counts) {
    return <ListNotice text={error.message} onRetry={() => void refetch()} />;
  }
  return (
    <Tiles perRow="five">
      {tileFolders.map(({ title, path, countKey }) => (
        <Tile
          key={path}
          title={title}
          count={counts?.[countKey]}
          to={path}
          urgent={countKey === urgent && (counts?.[countKey] ?? 0) > 0}
        />
      ))}
    </Tiles>
  );
}
