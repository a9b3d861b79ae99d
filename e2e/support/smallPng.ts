/** PNG files with a palette: a third of the size in which a browser writes the picture of a screen. */

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLOURS = 256;
/** The colour types of a PNG. */
const RGB = 2;
const PALETTE = 3;
const RGBA = 6;

/** The picture with its 256 most frequent colours; the others become the nearest of them. Takes opaque pictures of a browser. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, colours } = decoded(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MAX_COLOURS)
    .map(([colour]) => colour);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  colours.forEach((colour, at) => {
    rows[at + Math.floor(at / width) + 1] = indexes.get(colour)!;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, PALETTE], 8);
  const entries = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(entries)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Picture {
  width: number;
  height: number;
  /** A number of 24 bits for each pixel. */
  colours: Uint32Array;
}

function decoded(png: Buffer): Picture {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; at += png.readUInt32BE(at) + 12) {
    const from = at + 8;
    if (png.toString('latin1', at + 4, from) === 'IDAT') {
      parts.push(png.subarray(from, from + png.readUInt32BE(at)));
    }
  }
  const [width, height, depth, type] = [
    png.readUInt32BE(16),
    png.readUInt32BE(20),
    png[24],
    png[25],
  ];
  if (depth !== 8 || (type !== RGB && type !== RGBA)) throw new Error('no picture of a browser');
  const size = type === RGB ? 3 : 4;
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * size, size);
  const colours = new Uint32Array(width * height);
  for (let pixel = 0; pixel < colours.length; pixel += 1)
    colours[pixel] = bytes.readUIntBE(pixel * size, 3);
  return { width, height, colours };
}

/** The bytes of the pixels, of which each row has the differences to its neighbours by one of five rules. */
function unfiltered(data: Buffer, length: number, size: number): Buffer {
  const bytes = Buffer.alloc((data.length / (length + 1)) * length);
  for (let from = 0, to = 0; from < data.length; from += length + 1, to += length) {
    const rule = data[from]!;
    for (let x = 0; x < length; x += 1) {
      const left = x < size ? 0 : bytes[to + x - size]!;
      const above = to === 0 ? 0 : bytes[to + x - length]!;
      const corner = x < size || to === 0 ? 0 : bytes[to + x - length - size]!;
      const guesses = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
      bytes[to + x] = data[from + 1 + x]! + guesses[rule]!;
    }
  }
  return bytes;
}

/** The predictor of PNG's fifth rule (RFC 2083, 6.6). */
function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [
    above - corner,
    left - corner,
    left + above - 2 * corner,
  ].map(Math.abs);
  if (toLeft! <= toAbove! && toLeft! <= toCorner!) return left;
  return toAbove! <= toCorner! ? above : corner;
}

function nearest(palette: number[], colour: number): number {
  const distance = (other: number) =>
    Math.abs((colour >> 16) - (other >> 16)) +
    Math.abs(((colour >> 8) & 255) - ((other >> 8) & 255)) +
    Math.abs((colour & 255) - (other & 255));
  let best = 0;
  palette.forEach((other, index) => {
    if (distance(other) < distance(palette[best]!)) best = index;
  });
  return best;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
