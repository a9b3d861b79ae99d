import { expect, test } from 'vitest';
import { fitted, heightOf, largest, movedByKey } from './frame';

const wide = { width: 1200, height: 900 };
const tall = { width: 600, height: 1200 };

test('the largest frame touches two sides and is in the middle', () => {
  expect(largest(wide)).toEqual({ width: 0.5, left: 0.25, top: 0 });
  expect(heightOf(largest(wide), wide)).toBe(1);
  expect(largest(tall)).toEqual({ width: 1, left: 0, top: 0.125 });
});

test('a frame stays within the photograph', () => {
  expect(fitted({ left: 0.9, top: -1, width: 0.4 }, wide)).toEqual({
    left: 0.6,
    top: 0,
    width: 0.4,
  });
  expect(fitted({ left: 0, top: 0, width: 3 }, wide).width).toBe(0.5);
});

test('keys move and resize the frame', () => {
  const frame = { left: 0.25, top: 0, width: 0.4 };
  expect(movedByKey(frame, 'ArrowLeft', false, wide)?.left).toBeCloseTo(0.24);
  expect(movedByKey(frame, 'ArrowDown', true, wide)?.top).toBeCloseTo(0.05);
  expect(movedByKey(frame, '-', false, wide)?.width).toBeCloseTo(0.39);
  expect(movedByKey(frame, 'a', false, wide)).toBeNull();
});
