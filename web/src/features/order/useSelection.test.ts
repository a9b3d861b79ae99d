import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { orderNumber } from '@/testing/server';
import { useSelection } from './useSelection';

const rows = [1, 2, 3].map((id) => orderNumber(id));

/** The selection of a list with `rows`. */
function selection() {
  const initialProps = { view: 'newOrder', rows };
  const hook = renderHook(({ view, rows }) => useSelection(view, rows), { initialProps });
  type Selection = ReturnType<typeof useSelection>;
  return {
    ids: () => [...hook.result.current.selected.keys()],
    change: (run: (selection: Selection) => void) => act(() => run(hook.result.current)),
    show: (shown: typeof rows, view = 'newOrder') => hook.rerender({ view, rows: shown }),
  };
}

test('a row is selected and no longer selected in turn', () => {
  const list = selection();
  list.change(({ toggle }) => toggle(rows[0]!));
  list.change(({ toggle }) => toggle(rows[2]!));
  expect(list.ids()).toEqual([1, 3]);
  list.change(({ toggle }) => toggle(rows[0]!));
  expect(list.ids()).toEqual([3]);
});

test('all rows are selected while one is missing, else none', () => {
  const list = selection();
  list.change(({ toggle }) => toggle(rows[0]!));
  list.change(({ toggleAll }) => toggleAll(rows));
  expect(list.ids()).toEqual([1, 2, 3]);
  list.change(({ toggleAll }) => toggleAll(rows));
  expect(list.ids()).toEqual([]);
});

test('rows that are dropped leave the others selected', () => {
  const list = selection();
  list.change(({ toggleAll }) => toggleAll(rows));
  list.change(({ drop }) => drop([1, 3]));
  expect(list.ids()).toEqual([2]);
});

test('a row that is gone or has another status is selected no longer, even when it returns', () => {
  const list = selection();
  list.change(({ toggleAll }) => toggleAll(rows));
  list.show([rows[0]!, orderNumber(2, { process_status: 'Awaiting' })]);
  expect(list.ids()).toEqual([1]);
  list.show(rows);
  expect(list.ids()).toEqual([1]);
});

test('another view of the list starts with none selected', () => {
  const list = selection();
  list.change(({ toggleAll }) => toggleAll(rows));
  list.show(rows, 'priorityOrder');
  expect(list.ids()).toEqual([]);
  list.show(rows);
  expect(list.ids()).toEqual([]);
});
