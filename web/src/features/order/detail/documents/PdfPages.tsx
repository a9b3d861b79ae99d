import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type RefObject } from 'react';
import { ApiError } from '@/api/ApiError';
import { TryAgain } from '@/ui/TryAgain';
import { Icon } from '@/ui/Icon';
import { useDelayed } from '@/ui/useDelayed';
import { FileLink } from '../FileLink';
import classes from './PdfPages.module.css';
import { ImageSheet, type View } from './ImageSheet';
import { pageImageQuery } from './pageImages';
import { StageButtons, StageNotice } from './StageNotice';
import type { ViewedFile } from './viewedFiles';

/** The zoom from which the usual image of a page is no longer sharp. */
const FINE_FROM_ZOOM = 2;
const LOADING_AFTER_MS = 150;

interface PdfPagesProps {
  orderId: number;
  file: ViewedFile;
  link: string;
  view: View;
  onView: (change: Partial<View>) => void;
  /** The link no longer opens the file. */
  onStale: () => void;
  /** Moves by a page. Set while the pages are shown, so that the keys of the viewer reach it. */
  turn: RefObject<((by: 1 | -1) => void) | null>;
}

/** The pages of a PDF, rendered by the server. The browser's own viewer is one click away. */
export function PdfPages({ orderId, file, link, view, onView, onStale, turn }: PdfPagesProps) {
  const { page } = view;
  const queries = useQueryClient();
  const screen = useQuery(pageImageQuery(file.file1, link, page, 'screen'));
  const fine = useQuery({
    ...pageImageQuery(file.file1, link, page, 'fine'),
    enabled: view.zoom >= FINE_FROM_ZOOM && screen.isSuccess,
  });
  const [known, setKnown] = useState(0);
  const pages = screen.data?.pages ?? known;
  if (pages !== known) setKnown(pages);
  const image = fine.data ?? screen.data;
  const isSlow = useDelayed(screen.isPending, LOADING_AFTER_MS);

  useEffect(() => {
    if (screen.isSuccess && page < pages) {
      void queries.prefetchQuery(pageImageQuery(file.file1, link, page + 1, 'screen'));
    }
  }, [queries, screen.isSuccess, file.file1, link, page, pages]);

  const { error } = screen;
  const isStale = error instanceof ApiError && error.code === 'no_such_address';
  useEffect(() => {
    if (isStale) onStale();
    // Once for each failure: the caller renews the link, which asks again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new function with each render
  }, [isStale, error]);

  const go = (to: number) => {
    if (to >= 1 && to <= pages && to !== page) onView({ page: to });
  };
  useEffect(() => {
    turn.current = (by) => go(page + by);
    return () => {
      turn.current = null;
    };
  });

  const label = pages > 1 ? `${file.label}, page ${page}` : file.label;
  return (
    <div>
      {image ? (
        <ImageSheet
          key={page}
          src={image.src}
          label={label}
          view={view}
          onZoom={(zoom) => onView({ zoom })}
          isPage
        />
      ) : error ? (
        <StageNotice role="alert">
          <span>{error.message}</span>
          <StageButtons>
            <TryAgain small onClick={() => void screen.refetch()} />
            <FileLink orderId={orderId} file1={file.file1} link={link} button={{ small: true }}>
              Open {file.label}
            </FileLink>
          </StageButtons>
        </StageNotice>
      ) : (
        <StageNotice>{isSlow && `Loading ${label}…`}</StageNotice>
      )}
      {pages > 1 && <PageBar page={page} pages={pages} onPage={go} />}
    </div>
  );
}

interface PageBarProps {
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** Over the stage, so that nothing moves when the number of pages is known. */
function PageBar({ page, pages, onPage }: PageBarProps) {
  const button = (name: string, to: number, path: string) => (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-disabled={to < 1 || to > pages}
      onClick={() => onPage(to)}
    >
      <Icon>
        <path d={path} />
      </Icon>
    </button>
  );
  return (
    <div className={classes.pages} role="group" aria-label="Pages">
      {button('Previous page', page - 1, 'M10 3.5 5.5 8l4.5 4.5')}
      <select
        aria-label="Page"
        value={page}
        onChange={({ currentTarget }) => onPage(Number(currentTarget.value))}
      >
        {Array.from({ length: pages }, (_, index) => (
          <option key={index} value={index + 1}>
            {index + 1} of {pages}
          </option>
        ))}
      </select>
      {button('Next page', page + 1, 'M6 3.5 10.5 8 6 12.5')}
    </div>
  );
}
