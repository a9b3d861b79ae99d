/** A part of a photograph, in fractions of its sides. The height follows from the ratio of the portal, 2 : 3. */
export interface Frame {
  left: number;
  top: number;
  width: number;
}

/** The sides of a photograph, in pixels. */
export interface Sides {
  width: number;
  height: number;
}

const RATIO = 3 / 2;
/** The least width of a frame that is still easy to see and to grip. */
const LEAST_WIDTH = 0.2;

/** The height of a frame as a fraction of the photograph's. */
export const heightOf = (frame: Frame, sides: Sides): number =>
  (frame.width * sides.width * RATIO) / sides.height;

/** The widest frame that fits the photograph. */
const mostWidth = ({ width, height }: Sides): number => Math.min(1, height / RATIO / width);

/** The start of a part of this length, so that it ends within the whole. */
const within = (start: number, length: number) => Math.min(Math.max(0, start), 1 - length);

/** The frame, moved and resized so that it lies within the photograph. */
export function fitted(frame: Frame, sides: Sides): Frame {
  const most = mostWidth(sides);
  const width = Math.min(most, Math.max(Math.min(LEAST_WIDTH, most), frame.width));
  const height = heightOf({ ...frame, width }, sides);
  return { width, left: within(frame.left, width), top: within(frame.top, height) };
}

/** The largest frame, in the middle. */
export function largest(sides: Sides): Frame {
  const width = mostWidth(sides);
  const height = heightOf({ left: 0, top: 0, width }, sides);
  return { width, left: (1 - width) / 2, top: (1 - height) / 2 };
}

const STEP = 0.01;

/** The frame after a key; null for a key that does not move it. Shift moves it further. */
export function movedByKey(frame: Frame, key: string, isFar: boolean, sides: Sides): Frame | null {
  const step = isFar ? 5 * STEP : STEP;
  const moves: Record<string, Partial<Frame>> = {
    ArrowLeft: { left: frame.left - step },
    ArrowRight: { left: frame.left + step },
    ArrowUp: { top: frame.top - step },
    ArrowDown: { top: frame.top + step },
    '+': { width: frame.width + step },
    '-': { width: frame.width - step },
  };
  const move = moves[key];
  return move ? fitted({ ...frame, ...move }, sides) : null;
}
