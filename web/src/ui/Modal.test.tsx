import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Modal } from './Modal';

function open() {
  const onClose = vi.fn<() => void>();
  render(
    <Modal aria-label="Find" backdropCloses onClose={onClose}>
      <input aria-label="Words" />
    </Modal>,
  );
  return { onClose, dialog: screen.getByRole('dialog'), field: screen.getByLabelText('Words') };
}

test('a click on the backdrop closes a dialog that allows it', () => {
  const { onClose, dialog } = open();
  fireEvent.pointerDown(dialog);
  fireEvent.click(dialog);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a text that is selected with the mouse and released outside closes nothing', () => {
  const { onClose, dialog, field } = open();
  fireEvent.pointerDown(field);
  // The browser clicks what contains both ends of the press.
  fireEvent.click(dialog);
  expect(onClose).not.toHaveBeenCalled();
});

test('Escape closes the dialog on top alone', () => {
  const [below, onTop] = [vi.fn<() => void>(), vi.fn<() => void>()];
  render(
    <Modal aria-label="Below" onClose={below}>
      <Modal aria-label="On top" onClose={onTop} />
    </Modal>,
  );
  fireEvent(screen.getByRole('dialog', { name: 'On top' }), new Event('cancel'));
  expect(onTop).toHaveBeenCalledOnce();
  expect(below).not.toHaveBeenCalled();
});
