/** The zoom of a sheet: 1 shows it as it fits the stage. */
export const MIN_ZOOM = 1;
export const MAX_ZOOM = 8;

/** The zooms of the buttons and keys. */
const STEPS = [1, 1.5, 2, 3, 4, 6, 8];

/** The pixels of a wheel's line and page, as browsers count them. */
const LINE_PX = 16;
const PAGE_PX = 800;
/** Turning a wheel by so many pixels doubles the zoom. */
const PX_PER_DOUBLING = 240;
/** The most of one event: a wheel with large notches must stay under control. */
const MAX_WHEEL_PX = 120;

export function clampZoom(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
}

/** The next step above or below `zoom`, or `zoom` at the end. */
export function steppedZoom(zoom: number, by: 1 | -1): number {
  const next = by === 1 ? STEPS.find((step) => step > zoom) : STEPS.findLast((step) => step < zoom);
  return next ?? zoom;
}

/** The zoom after a turn of the wheel: away from the user zooms in. */
export function wheeledZoom(
  zoom: number,
  { deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>,
): number {
  const unit = deltaMode === 1 ? LINE_PX : deltaMode === 2 ? PAGE_PX : 1;
  const turned = Math.max(-MAX_WHEEL_PX, Math.min(MAX_WHEEL_PX, deltaY * unit));
  return clampZoom(zoom * 2 ** (-turned / PX_PER_DOUBLING));
}

export interface Point {
  x: number;
  y: number;
}

/** Two fingers: the point between them and their distance. */
export function pinchOf([one, other]: readonly [Point, Point]): { at: Point; distance: number } {
  return {
    at: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    distance: Math.hypot(one.x - other.x, one.y - other.y),
  };
}

/** A part of the content, 0 to 1 on both axes, and where in the stage it is. */
export interface Anchor {
  part: Point;
  at: Point;
}

type Scroller = Pick<
  HTMLElement,
  'scrollLeft' | 'scrollTop' | 'scrollWidth' | 'scrollHeight' | 'clientWidth' | 'clientHeight'
>;

/** The part of the content at a point of the stage. */
export function anchorAt(stage: Scroller, at: Point): Anchor {
  return {
    part: {
      x: (stage.scrollLeft + at.x) / stage.scrollWidth,
      y: (stage.scrollTop + at.y) / stage.scrollHeight,
    },
    at,
  };
}

/** The centre of what is visible. */
export function centreOf(stage: Scroller): Anchor {
  return anchorAt(stage, { x: stage.clientWidth / 2, y: stage.clientHeight / 2 });
}

/** Scrolls the stage so that the part is at its point again. */
export function restore(stage: Scroller, { part, at }: Anchor): void {
  stage.scrollLeft = part.x * stage.scrollWidth - at.x;
  stage.scrollTop = part.y * stage.scrollHeight - at.y;
}
