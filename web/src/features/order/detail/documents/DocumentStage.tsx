import { useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { Button } from '@/ui/Button';
import { FileLink } from '../FileLink';
import classes from './DocumentStage.module.css';
import { useStableFileUrl } from './useStableFileUrl';
import type { ViewedFile } from './viewedFiles';

/** The zoom and rotation of an image. */
export interface View {
  zoom: number;
  /** Quarter turns, clockwise. */
  turns: number;
}

interface DocumentStageProps {
  orderId: number;
  file: ViewedFile;
  view: View;
}

/** One file, or the reason why it cannot be shown. */
export function DocumentStage({ orderId, file, view }: DocumentStageProps) {
  const { link, isRenewing, fail, renew } = useStableFileUrl(orderId, file.link);
  if (link === null) {
    return (
      <StageNotice role={isRenewing ? undefined : 'alert'}>
        {isRenewing ? (
          'Loading…'
        ) : (
          <>
            <span>{file.label} could not be opened.</span>
            <Button small onClick={renew}>
              Try again
            </Button>
          </>
        )}
      </StageNotice>
    );
  }
  if (!file.isPdf)
    return <ImageSheet link={link} label={file.label} view={view} onFailure={fail} />;
  // Mobile browsers show no PDF inside a page.
  if (navigator.pdfViewerEnabled === false) {
    return (
      <StageNotice>
        <span>This browser cannot show a PDF here.</span>
        <FileLink orderId={orderId} file1={file.file1} link={file.link} button={{}}>
          Open {file.label}
        </FileLink>
      </StageNotice>
    );
  }
  return <PdfSheet link={link} label={file.label} onFailure={fail} />;
}

interface StageNoticeProps {
  role?: 'alert' | undefined;
  children: ReactNode;
}

/** A text in place of a file. */
export function StageNotice({ role, children }: StageNoticeProps) {
  return (
    <div className={classes.notice} role={role}>
      {children}
    </div>
  );
}

interface SheetProps {
  link: string;
  label: string;
  onFailure: () => void;
}

/** The browser's own viewer has zoom and rotation, and does not work in sandboxed frames. */
function PdfSheet({ link, label, onFailure }: SheetProps) {
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- no PDF shows in a sandboxed frame; the server lets nothing in it load
    <iframe
      className={classes.frame}
      src={`${fileUrl(link)}#navpanes=0&view=FitH`}
      title={label}
      onLoad={(event) => {
        // A refusal is text. The frame of another host cannot be read.
        const shown = event.currentTarget.contentDocument?.contentType;
        if (shown !== undefined && shown !== 'application/pdf') onFailure();
      }}
    />
  );
}

/** Dragging with the mouse scrolls the image; touch scrolls natively. */
function pan(event: PointerEvent<HTMLDivElement>) {
  if (event.pointerType === 'mouse' && event.buttons === 1) {
    event.currentTarget.scrollBy(-event.movementX, -event.movementY);
  }
}

/** An image that can be zoomed, rotated and panned. */
function ImageSheet({ link, label, view, onFailure }: SheetProps & { view: View }) {
  const { zoom, turns } = view;
  const stage = useRef<HTMLDivElement>(null);
  const centre = useRef({ x: 0.5, y: 0.5 });

  // The centre of the view stays in place.
  useLayoutEffect(() => {
    const element = stage.current;
    if (zoom === 1 || !element) return;
    const { x, y } = centre.current;
    element.scrollLeft = x * element.scrollWidth - element.clientWidth / 2;
    element.scrollTop = y * element.scrollHeight - element.clientHeight / 2;
  }, [zoom]);

  const remember = ({ currentTarget: element }: { currentTarget: HTMLDivElement }) => {
    centre.current = {
      x: (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth,
      y: (element.scrollTop + element.clientHeight / 2) / element.scrollHeight,
    };
  };
  return (
    <div
      ref={stage}
      className={classes.scroller}
      data-zoomed={zoom > 1 || undefined}
      tabIndex={0}
      role="group"
      aria-label={`${label}, ${Math.round(zoom * 100)} %`}
      onScroll={remember}
      onPointerMove={pan}
    >
      <div className={classes.sheet} style={{ '--zoom': zoom } as React.CSSProperties}>
        <img
          src={fileUrl(link)}
          alt={label}
          draggable={false}
          data-across={turns % 2 === 1 || undefined}
          style={{ rotate: `${turns * 90}deg` }}
          onError={onFailure}
        />
      </div>
    </div>
  );
}
