/**
 * Compares pictures of a screen as people see them. Browsers of different versions smooth letters differently and place them a fraction
 * of a pixel apart, which no reader notices; a control that has moved, a missing label and another colour are noticed.
 *
 * Both pictures are halved and blurred, so that a letter is a grey spot, and compared tile by tile in CIE L*a*b*, where distances are those
 * that eyes see. A tile may lie a pixel of the halved picture elsewhere. A tile full of letters may differ more than a plain one.
 */

import sharp from 'sharp';

/** The pixels of the picture that are one pixel of the comparison. */
const SCALE = 2;
const BLUR = 1;
/** The side of a tile, and the distance between two tiles: they overlap. */
const TILE = 8;
const STEP = 4;
/** The distance in colour that every tile may have. One of 2.3 is just noticeable between two plain areas side by side. */
const PLAIN_TOLERANCE = 2;
/** The share of a tile's own contrast that it may differ by in addition. */
const CONTRAST_SHARE = 0.4;

/** A tile that differs: its place in the picture, and how far its colours are from the expected ones. */
export interface Difference {
  x: number;
  y: number;
  distance: number;
  tolerance: number;
}

/** The tiles of `shown` that differ from those of `expected`, the worst first. */
export async function differencesOf(expected: Picture, shown: Picture): Promise<Difference[]> {
  if (expected.width !== shown.width || expected.height !== shown.height) {
    return [{ x: 0, y: 0, distance: Infinity, tolerance: 0 }];
  }
  const found: Difference[] = [];
  for (let y = 0; y + TILE <= expected.height; y += STEP) {
    for (let x = 0; x + TILE <= expected.width; x += STEP) {
      const straight = expected.distance(shown, x, y, 0, 0);
      if (straight <= PLAIN_TOLERANCE) continue;
      const tolerance = PLAIN_TOLERANCE + CONTRAST_SHARE * expected.contrast(x, y);
      const distance = straight <= tolerance ? straight : expected.leastDistance(shown, x, y);
      if (distance > tolerance) found.push({ x: x * SCALE, y: y * SCALE, distance, tolerance });
    }
  }
  return found.toSorted((one, other) => other.distance - one.distance);
}

/** The picture with a frame around every tile that differs. */
export async function markedWith(found: readonly Difference[], picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const side = TILE * SCALE;
  const frames = found.map(
    ({ x, y }) => `<rect x="${x}" y="${y}" width="${side}" height="${side}" fill="none"/>`,
  );
  const svg = `<svg width="${width}" height="${height}" stroke="#f0f">${frames.join('')}</svg>`;
  return sharp(picture)
    .composite([{ input: Buffer.from(svg) }])
    .png()
    .toBuffer();
}

/** A picture as it is compared: L*, a* and b* of every pixel. */
export class Picture {
  private constructor(
    private readonly values: Float32Array,
    readonly width: number,
    readonly height: number,
  ) {}

  static async of(file: Buffer): Promise<Picture> {
    const { width, height } = await sharp(file).metadata();
    const { data, info } = await sharp(file)
      .removeAlpha()
      .resize(Math.ceil(width / SCALE), Math.ceil(height / SCALE), { fit: 'fill' })
      .blur(BLUR)
      .toColourspace('lab')
      .raw({ depth: 'float' })
      .toBuffer({ resolveWithObject: true });
    const values = new Float32Array(data.buffer, data.byteOffset, data.byteLength / 4);
    return new Picture(values, info.width, info.height);
  }

  /** The least mean distance in colour of a tile from the tiles around its place in the other picture. */
  leastDistance(other: Picture, x: number, y: number): number {
    let least = Infinity;
    for (const down of [0, -1, 1]) {
      for (const right of [0, -1, 1]) {
        least = Math.min(least, this.distance(other, x, y, right, down));
      }
    }
    return least;
  }

  /** The mean distance in colour of a tile from the one that lies `right` and `down` of its place in the other picture. */
  distance(other: Picture, x: number, y: number, right: number, down: number): number {
    let sum = 0;
    for (let row = y; row < y + TILE; row += 1) {
      const there = Math.min(Math.max(row + down, 0), this.height - 1);
      for (let column = x; column < x + TILE; column += 1) {
        const beside = Math.min(Math.max(column + right, 0), this.width - 1);
        sum += this.distanceAt(this.at(column, row), other.values, this.at(beside, there));
      }
    }
    return sum / TILE ** 2;
  }

  /** The mean distance in colour of a tile's pixels from their mean. */
  contrast(x: number, y: number): number {
    const mean = new Float32Array(3);
    const places: number[] = [];
    for (let row = y; row < y + TILE; row += 1) {
      for (let column = x; column < x + TILE; column += 1) places.push(this.at(column, row));
    }
    for (const place of places) {
      for (let axis = 0; axis < 3; axis += 1) mean[axis]! += this.values[place + axis]! / TILE ** 2;
    }
    const sum = places.reduce((total, place) => total + this.distanceAt(place, mean, 0), 0);
    return sum / TILE ** 2;
  }

  private at(column: number, row: number): number {
    return 3 * (row * this.width + column);
  }

  private distanceAt(place: number, others: Float32Array, otherPlace: number): number {
    const lightness = this.values[place]! - others[otherPlace]!;
    const red = this.values[place + 1]! - others[otherPlace + 1]!;
    const yellow = this.values[place + 2]! - others[otherPlace + 2]!;
    // `Math.hypot` takes many times as long.
    return Math.sqrt(lightness ** 2 + red ** 2 + yellow ** 2);
  }
}
