import { useEffect, useRef, type RefObject } from 'react';
import { anchorAt, clampZoom, pinchOf, wheeledZoom, type Anchor, type Point } from './zooming';

interface Gestures {
  zoom: number;
  /** The wheel zooms without a modifier while the stage has the focus, or on full screen. */
  wheelZooms: boolean;
  onZoom: (zoom: number, anchor: Anchor) => void;
}

/**
 * Zooms by wheel and pinch. React listens passively, and these must keep the browser from zooming
 * the whole page.
 */
export function useZoomGestures(stage: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures);
  useEffect(() => {
    latest.current = gestures;
  });
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const inStage = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const { left, top } = element.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const zoomTo = (zoom: number, anchor: Anchor) => {
      if (zoom === latest.current.zoom) return false;
      latest.current.onZoom(zoom, anchor);
      return true;
    };

    // A trackpad's pinch is a wheel with Control.
    const wheel = (event: WheelEvent) => {
      const isOwn = document.activeElement === element || document.fullscreenElement !== null;
      const isModified = event.ctrlKey || event.metaKey;
      if (!isModified && !(latest.current.wheelZooms && isOwn)) return;
      const changed = zoomTo(
        wheeledZoom(latest.current.zoom, event),
        anchorAt(element, inStage(event)),
      );
      // At the end of the zooms the page scrolls on.
      if (changed || isModified) event.preventDefault();
    };

    let pinch: { zoom: number; distance: number; anchor: Anchor } | null = null;
    const fingers = ({ touches }: TouchEvent) => {
      const [one, other] = touches;
      return one && other && touches.length === 2 ? pinchOf([inStage(one), inStage(other)]) : null;
    };
    const touch = (event: TouchEvent) => {
      const two = fingers(event);
      pinch = two && {
        zoom: latest.current.zoom,
        distance: two.distance,
        anchor: anchorAt(element, two.at),
      };
      if (two) event.preventDefault();
    };
    const move = (event: TouchEvent) => {
      const two = fingers(event);
      if (!two || !pinch) return;
      event.preventDefault();
      const zoom = clampZoom((pinch.zoom * two.distance) / Math.max(1, pinch.distance));
      zoomTo(zoom, { part: pinch.anchor.part, at: two.at });
    };
    const own = { passive: false };
    element.addEventListener('wheel', wheel, own);
    element.addEventListener('touchstart', touch, own);
    element.addEventListener('touchmove', move, own);
    element.addEventListener('touchend', touch, own);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('touchstart', touch);
      element.removeEventListener('touchmove', move);
      element.removeEventListener('touchend', touch);
    };
  }, [stage]);
}
