import { expect, test } from 'vitest';
import { anchorAt, clampZoom, pinchOf, restore, steppedZoom, wheeledZoom } from './zooming';

test('the buttons step through fixed zooms, also from a zoom between two of them', () => {
  expect([1, 1.5, 2, 3, 4, 6, 8].map((zoom) => steppedZoom(zoom, 1))).toEqual([
    1.5, 2, 3, 4, 6, 8, 8,
  ]);
  expect([1, 1.5, 8].map((zoom) => steppedZoom(zoom, -1))).toEqual([1, 1, 6]);
  expect([steppedZoom(2.4, 1), steppedZoom(2.4, -1)]).toEqual([3, 2]);
});

test('the wheel zooms in away from the user, the same in pixels and lines, and never too far', () => {
  expect(wheeledZoom(2, { deltaY: -120, deltaMode: 0 })).toBeCloseTo(2 * Math.SQRT2);
  expect(wheeledZoom(2, { deltaY: 120, deltaMode: 0 })).toBeCloseTo(Math.SQRT2);
  expect(wheeledZoom(2, { deltaY: -3, deltaMode: 1 })).toBe(
    wheeledZoom(2, { deltaY: -48, deltaMode: 0 }),
  );
  expect(wheeledZoom(2, { deltaY: -9000, deltaMode: 2 })).toBeCloseTo(2 * Math.SQRT2);
  expect(wheeledZoom(8, { deltaY: -120, deltaMode: 0 })).toBe(8);
  expect(wheeledZoom(1, { deltaY: 120, deltaMode: 0 })).toBe(1);
  expect([clampZoom(0.2), clampZoom(3), clampZoom(90)]).toEqual([1, 3, 8]);
});

test('a pinch is between two fingers', () => {
  const pinch = pinchOf([
    { x: 10, y: 20 },
    { x: 40, y: 60 },
  ]);
  expect(pinch).toEqual({ at: { x: 25, y: 40 }, distance: 50 });
});

test('the part of the page under the pointer stays there', () => {
  const stage = {
    scrollLeft: 100,
    scrollTop: 50,
    scrollWidth: 800,
    scrollHeight: 400,
    clientWidth: 400,
    clientHeight: 200,
  };
  const anchor = anchorAt(stage, { x: 100, y: 150 });
  expect(anchor.part).toEqual({ x: 0.25, y: 0.5 });
  const zoomed = { ...stage, scrollWidth: 1600, scrollHeight: 800 };
  restore(zoomed, anchor);
  expect([zoomed.scrollLeft, zoomed.scrollTop]).toEqual([300, 250]);
});
