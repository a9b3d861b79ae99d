import { useEffect, useRef, useState, type RefObject } from 'react';
import type { OrderDetails } from '@/api/types';
import { Card } from '@/ui/Card';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { useHotkeys } from '@/ui/useHotkeys';
import { FileLink } from '../FileLink';
import { missingDocuments } from './documentList';
import { DocumentStage } from './DocumentStage';
import classes from './DocumentViewer.module.css';
import type { View } from './ImageSheet';
import { StageNotice } from './StageNotice';
import { viewedFiles, type ViewedFile } from './viewedFiles';
import { MAX_ZOOM, MIN_ZOOM, steppedZoom } from './zooming';

const PLAIN: View = { zoom: 1, turns: 0, page: 1 };

interface DocumentViewerProps {
  order: OrderDetails;
  /** The stored name of the chosen file. */
  shown: string | null;
  onShow: (file1: string) => void;
  card: RefObject<HTMLElement | null>;
}

/** The order's documents beside its data, so that checking them needs no download. */
export function DocumentViewer({ order, shown, onShow, card }: DocumentViewerProps) {
  const files = viewedFiles(order);
  const missing = missingDocuments(order);
  const index = Math.max(
    0,
    files.findIndex(({ file1 }) => file1 === shown),
  );
  const file = files[index];
  const [lastView, setLastView] = useState({ file1: '', ...PLAIN });
  const view = lastView.file1 === file?.file1 ? lastView : PLAIN;
  const changeView = (change: Partial<View>) =>
    file && setLastView({ ...view, ...change, file1: file.file1 });
  const turnPage = useRef<((by: 1 | -1) => void) | null>(null);

  /** Wraps around at both ends. */
  const go = (by: 1 | -1) => {
    const target = files.at((index + by) % files.length);
    if (target) onShow(target.file1);
  };
  const zoom = (by: 1 | -1) => changeView({ zoom: steppedZoom(view.zoom, by) });
  const rotate = () => changeView({ turns: (view.turns + 1) % 4 });
  useHotkeys({
    ',': () => go(-1),
    '.': () => go(1),
    z: () => zoom(1),
    'Shift+Z': () => zoom(-1),
    r: rotate,
    'Shift+<': () => turnPage.current?.(-1),
    'Shift+>': () => turnPage.current?.(1),
  });

  return (
    <Card as="section" ref={card} className={classes.viewer} aria-label="Documents">
      <div className={classes.bar}>
        <h2>Documents</h2>
        {file && (
          <>
            <span className={classes.count}>
              {index + 1} of {files.length}
            </span>
            <div className={classes.tools}>
              <IconButton small label="Previous document" onClick={() => go(-1)}>
                <path d="M10 3.5 5.5 8l4.5 4.5" />
              </IconButton>
              <IconButton small label="Next document" onClick={() => go(1)}>
                <path d="M6 3.5 10.5 8 6 12.5" />
              </IconButton>
              <IconButton
                small
                label="Zoom out"
                busy={view.zoom <= MIN_ZOOM}
                onClick={() => zoom(-1)}
              >
                <path d="M3.5 8h9" />
              </IconButton>
              <IconButton
                small
                label="Zoom in"
                busy={view.zoom >= MAX_ZOOM}
                onClick={() => zoom(1)}
              >
                <path d="M3.5 8h9M8 3.5v9" />
              </IconButton>
              <IconButton small label="Rotate" onClick={rotate}>
                <path d="M12.5 8A4.5 4.5 0 1 1 8 3.5h3M9 1.5l2.3 2L9 5.5" />
              </IconButton>
              <FullScreen card={card} />
              <FileLink
                orderId={order.order_id}
                file1={file.file1}
                link={file.link}
                button={{ small: true, square: true }}
                label={`Open ${file.label} in a new tab`}
              >
                <Icon>
                  <path d="M6.5 4H4v8h8V9.5M9 3h4v4M13 3 7.5 8.5" />
                </Icon>
              </FileLink>
            </div>
          </>
        )}
      </div>
      <div className={classes.stage} data-empty={!file || undefined}>
        {file ? (
          <DocumentStage
            key={file.file1}
            orderId={order.order_id}
            file={file}
            view={view}
            onView={changeView}
            turn={turnPage}
          />
        ) : (
          <StageNotice>No documents are on file</StageNotice>
        )}
      </div>
      {files.length > 0 && <Tabs files={files} shown={file} onShow={onShow} />}
      {missing.length > 0 && (
        <p className={classes.missing}>
          <b>
            {missing.length === 1
              ? '1 required document is missing:'
              : `${missing.length} required documents are missing:`}
          </b>{' '}
          {missing.map(({ label }) => label).join(', ')}
        </p>
      )}
    </Card>
  );
}

interface TabsProps {
  files: readonly ViewedFile[];
  shown: ViewedFile | undefined;
  onShow: (file1: string) => void;
}

function Tabs({ files, shown, onShow }: TabsProps) {
  const list = useRef<HTMLUListElement>(null);
  const file1 = shown?.file1;
  useEffect(() => {
    const tab = file1 && list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    if (tab && list.current) {
      list.current.scrollLeft = tab.offsetLeft + (tab.offsetWidth - list.current.clientWidth) / 2;
    }
  }, [file1]);
  return (
    <ul ref={list} className={classes.tabs} aria-label="All documents">
      {files.map(({ file1, label }) => (
        <li key={file1}>
          <button
            type="button"
            className={classes.tab}
            aria-current={file1 === shown?.file1}
            onClick={() => onShow(file1)}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A full-screen button, where the browser supports it. */
function FullScreen({ card }: { card: RefObject<HTMLElement | null> }) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', follow);
    return () => document.removeEventListener('fullscreenchange', follow);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () =>
    void (isFull ? document.exitFullscreen() : card.current?.requestFullscreen());
  return (
    <IconButton small label={isFull ? 'Leave full screen' : 'Full screen'} onClick={toggle}>
      <path d="M6 3H3v3M10 3h3v3M6 13H3v-3M10 13h3v-3" />
    </IconButton>
  );
}
