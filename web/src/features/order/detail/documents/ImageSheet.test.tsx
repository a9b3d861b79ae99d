import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { ImageSheet } from './ImageSheet';

/** The stage's size in pixels, and the content's at zoom 1. */
const SIZE = 400;

function ZoomedSheet() {
  const [zoom, setZoom] = useState(1);
  return (
    <ImageSheet
      src="/photo.jpg"
      label="Photo"
      view={{ zoom, turns: 0, page: 1 }}
      onZoom={setZoom}
    />
  );
}

/** Shows a sheet and gives it the layout that a browser would. */
function stageOfSheet(): HTMLElement {
  render(<ZoomedSheet />);
  const stage = screen.getByRole('group');
  const zoom = () =>
    Number((stage.firstElementChild as HTMLElement).style.getPropertyValue('--zoom'));
  const content = { get: () => SIZE * zoom() };
  const own = { value: SIZE };
  Object.defineProperties(stage, {
    scrollWidth: content,
    scrollHeight: content,
    clientWidth: own,
    clientHeight: own,
  });
  return stage;
}

test('two quick turns of the wheel keep what is under the pointer there, and both count', () => {
  const stage = stageOfSheet();
  const at = SIZE / 4;
  act(() => {
    for (let turn = 0; turn < 2; turn += 1) {
      fireEvent.wheel(stage, { ctrlKey: true, deltaY: -120, clientX: at, clientY: at });
      // The browser tells later of the scrolling that the turn before has caused.
      fireEvent.scroll(stage);
    }
  });
  expect(stage).toHaveAccessibleName('Photo, 200 %');
  expect((stage.scrollLeft + at) / stage.scrollWidth).toBeCloseTo(0.25);
  expect((stage.scrollTop + at) / stage.scrollHeight).toBeCloseTo(0.25);
});
