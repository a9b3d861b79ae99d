import { useLayoutEffect, useRef, useState, type CSSProperties, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import classes from './ImageSheet.module.css';
import { useZoomGestures } from './useZoomGestures';
import { centreOf, restore, type Anchor } from './zooming';

/** The zoom and rotation of a document, and its page. */
export interface View {
  zoom: number;
  /** Quarter turns, clockwise. */
  turns: number;
  /** The page of a PDF, from 1. */
  page: number;
}

export interface ImageSheetProps {
  src: string;
  label: string;
  view: View;
  onZoom: (zoom: number) => void;
  onFailure?: () => void;
  /** A page fills the width and is scrolled by the wheel. A picture is whole in view, and the wheel zooms it once it has the focus. */
  isPage?: boolean;
}

/** Dragging with the mouse scrolls the image; touch scrolls natively. */
function pan(event: PointerEvent<HTMLDivElement>) {
  if (event.pointerType === 'mouse' && event.buttons === 1) {
    event.currentTarget.scrollBy(-event.movementX, -event.movementY);
  }
}

/** An image that can be zoomed, rotated and moved. */
export function ImageSheet(props: ImageSheetProps) {
  const { src, label, view, onZoom, onFailure, isPage = false } = props;
  const { zoom, turns } = view;
  const stage = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const [ratio, setRatio] = useState(0);
  const isAcross = turns % 2 === 1;
  useZoomGestures(stage, {
    zoom,
    wheelZooms: !isPage,
    // At once: a scroll event of the turn before would move the anchor to the centre, and the next turn starts from this zoom.
    onZoom: (to, at) => {
      anchor.current = at;
      flushSync(() => onZoom(to));
    },
  });

  const shown = isPage && ratio > 0 ? (isAcross ? 1 / ratio : ratio) : 0;
  const laidOut = useRef({ zoom, shown });

  // What is under the pointer stays there; after a step of the buttons, the centre.
  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return;
    if (zoom !== laidOut.current.zoom && anchor.current) restore(element, anchor.current);
    laidOut.current = { zoom, shown };
    anchor.current = centreOf(element);
  }, [zoom, shown]);

  return (
    <div
      ref={stage}
      className={classes.scroller}
      data-movable={zoom > 1 || shown > 0 || undefined}
      tabIndex={0}
      role="group"
      aria-label={`${label}, ${Math.round(zoom * 100)} %`}
      onScroll={({ currentTarget }) => {
        anchor.current = centreOf(currentTarget);
      }}
      onPointerMove={pan}
    >
      <div
        className={classes.sheet}
        data-page={shown > 0 || undefined}
        style={{ '--zoom': zoom, '--ratio': shown } as CSSProperties}
      >
        <img
          src={src}
          alt={label}
          draggable={false}
          data-across={isAcross || undefined}
          style={{ rotate: `${turns * 90}deg` }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setRatio(naturalHeight / naturalWidth)
          }
          onError={onFailure}
        />
      </div>
    </div>
  );
}
