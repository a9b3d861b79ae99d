import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import type { AccessEntry } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp, place } from '@/testing/openApp';
import { get, member, refusal, server, signedInAs, success } from '@/testing/server';
import * as files from '@/ui/saveFile';

const CALL = '/api/admin/access-log';

function entry(id: number, fields: Partial<AccessEntry> = {}): AccessEntry {
  return {
    id,
    at: '2026-11-20T02:41:07Z',
    person: 'Budi Santoso',
    action: 'order.view',
    folder: null,
    order_id: 100234,
    order_number: 'VD-100234',
    search: null,
    rows: 1,
    ip: '203.0.113.24',
    ...fields,
  };
}

/** Serves these entries, two per page. Returns the requested queries. */
function logOf(entries: AccessEntry[]): string[] {
  signedInAs(member());
  const asked: string[] = [];
  server.use(
    get(CALL, ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      const olderThan = Number(searchParams.get('olderThan') ?? Infinity);
      const left = entries.filter(({ id }) => id < olderThan);
      const data = left.slice(0, 2);
      return success({ data, next: left.length > 2 ? data.at(-1)?.id : null });
    }),
  );
  return asked;
}

const cellsOf = async (text: string) => {
  const row = within(await screen.findByRole('table'))
    .getByText(text)
    .closest('tr');
  return [...(row?.cells ?? [])].map(({ textContent }) => textContent);
};

test('entries say who saw what, in which folder, by which search and how many rows', async () => {
  const searched = { action: 'order.search', folder: 'allOrder', search: 'a1b2c3d4e5f6', rows: 25 };
  logOf([entry(2), entry(1, { ...searched, order_id: null, order_number: null })]);
  await openApp('/admin/access-log');
  expect(await screen.findByRole('link', { name: '100234' })).toHaveAttribute(
    'href',
    paths.viewOrder(100234),
  );
  expect(await cellsOf('Orders searched')).toEqual([
    '20-11-2026 09:41:07',
    'Budi Santoso',
    'Orders searched',
    '',
    'Order History',
    'a1b2c3d4',
    '25',
    '203.0.113.24',
  ]);
});

test('older entries load on demand, until there are none', async () => {
  const asked = logOf([5, 4, 3].map((id) => entry(id, { ip: `203.0.113.${id}` })));
  const user = await openApp('/admin/access-log');
  await screen.findByText('203.0.113.4');
  expect(screen.queryByText('203.0.113.3')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show older' }));
  expect(await screen.findByText('203.0.113.3')).toBeVisible();
  expect(asked).toEqual(['', '?olderThan=4']);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull());
});

test('the filters live in the URL, and the CSV has the same', async () => {
  const asked = logOf([entry(1)]);
  const saved = vi.spyOn(files, 'saveFile').mockImplementation(() => {});
  const exported: string[] = [];
  server.use(
    http.get(`${location.origin}/api/admin/access-log-csv`, ({ request }) => {
      exported.push(new URL(request.url).search);
      return HttpResponse.text('Date & Time', {
        headers: { 'Content-Disposition': 'attachment; filename="access-log.csv"' },
      });
    }),
  );
  const user = await openApp('/admin/access-log');
  const form = within(await screen.findByRole('form', { name: 'Filter' }));
  await user.type(form.getByLabelText('Person'), 'Budi Santoso');
  await user.selectOptions(form.getByLabelText('Action'), 'Orders listed');
  await user.click(form.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(asked.at(-1)).toBe('?person=Budi%20Santoso&action=order.list'));
  expect(place()).toContain('action=order.list');
  await user.click(screen.getByRole('button', { name: 'Download as CSV' }));
  await waitFor(() => expect(saved).toHaveBeenCalledWith(expect.anything(), 'access-log.csv'));
  expect(exported).toEqual(['?person=Budi%20Santoso&action=order.list']);
});

test('without permission the refusal is shown', async () => {
  signedInAs(member({}));
  server.use(get(CALL, () => refusal(403, 'You may not do this')));
  await openApp('/admin/access-log');
  expect(await screen.findByText('You may not do this')).toBeVisible();
});
