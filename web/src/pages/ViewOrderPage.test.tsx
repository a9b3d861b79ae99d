import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderDetails } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { allowedOnDetail } from '@/testing/allowed';
import { openApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { answerDetails, asked, detailsOf, DETAILS, storedFile } from '@/testing/orderDetails';
import {
  get,
  member,
  put,
  refusal,
  server,
  signedInAs,
  success,
  takePuts,
  takeUndos,
  undoOf,
} from '@/testing/server';

const MOVE = '/api/admin/move-order-status';
const PAGE = paths.viewOrder(100234);

/** Serves moves. Returns the sent bodies. */
function takeMoves(change: (status: OrderDetails['process_status']) => void): unknown[] {
  return takePuts<{ updatingStatus: OrderDetails['process_status'] }>(MOVE, (body) => {
    change(body.updatingStatus);
    return success(undoOf(4711), `Order has been moved to ${body.updatingStatus} successfully`);
  });
}

const actions = () => within(screen.getByRole('region', { name: 'Actions' }));
const moveNames = () =>
  actions()
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
const valueOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling;

test('the order shows its fields formatted for people', async () => {
  const user = await openOrder({ passport_from: 'Australia' });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Order 100234');
  expect(within(screen.getByRole('main')).getByText('Awaiting Customer')).toBeVisible();
  expect(screen.getByText('Unassigned')).toBeVisible();
  expect(valueOf('Full Name')).toHaveTextContent('Emily Rose Clarke');
  expect(valueOf('Date of Birth')).toHaveTextContent('12-04-1990');
  expect(valueOf('Processing Mode')).toHaveTextContent('Standard Processing');
  expect(valueOf('Application Email Address')).toHaveTextContent('100234@applications.example');
  expect(valueOf('Planned Stay')).toHaveTextContent('60 days');
  await waitFor(() =>
    expect(valueOf('Visa Type')).toHaveTextContent('C1 · Tourism Visit, Single Entry'),
  );
  expect(screen.getByRole('link', { name: '+44 7700 904411' })).toHaveAttribute(
    'href',
    'tel:+447700904411',
  );
  await user.click(screen.getByRole('button', { name: 'WhatsApp' }));
  expect(screen.getByRole('link', { name: 'Send Whatsapp Message' })).toHaveAttribute(
    'href',
    'https://wa.me/447700904411?text=Your%20visa%20application%20VD-100234%3A%20',
  );
});

const more = (title: string, fields: string) =>
  screen.getByRole('button', { name: `${title}: ${fields}, show` });

test('empty fields are counted once for each section, and shown on demand', async () => {
  const user = await openOrder({ place_of_birth: 'Perth', address: null });
  expect(screen.queryByText('Sex', { selector: 'dt' })).toBeNull();
  await user.click(more('Personal and Contact Information', '1 field empty'));
  expect(valueOf('Sex')).toHaveTextContent('-');
  const section = screen.getByText('Sex', { selector: 'dt' }).closest('section')!;
  const labels = within(section)
    .getAllByRole('term')
    .map(({ textContent }) => textContent);
  expect(labels.slice(0, 3)).toEqual(['Full Name', 'Sex', 'Place of Birth']);
  await user.click(within(section).getByRole('button', { name: /1 field empty, hide$/ }));
  expect(screen.queryByText('Sex', { selector: 'dt' })).toBeNull();
});

test('sections without any value are one line, which counts their fields once', async () => {
  const empty = { document_type: null, document_number: null, nationality: null };
  const user = await openOrder({
    ...empty,
    date_of_expiry: null,
    issuing_place: null,
    address: null,
  });
  expect(screen.queryByRole('heading', { name: 'Address in Indonesia' })).toBeNull();
  const titles = 'Document Information, Address in Indonesia';
  await user.click(more(titles, '13 fields empty'));
  const headings = screen.getAllByRole('heading', { level: 2 });
  expect(headings.map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['Document Information', 'Address in Indonesia']),
  );
  expect(valueOf('Province')).toHaveTextContent('-');
  await user.click(screen.getByRole('button', { name: `${titles}: 13 fields empty, hide` }));
  expect(screen.queryByText('Province', { selector: 'dt' })).toBeNull();
});

test('a line of an email address may break behind its sign', async () => {
  await openOrder();
  const address = valueOf('Application Email Address')!;
  expect(address.querySelector('wbr')?.previousSibling).toHaveTextContent('@');
});

test('a required document that is not on file is named as missing', async () => {
  await openOrder({
    documents: [storedFile('passport_picture')],
    required_documents: [asked('passport_picture', true), asked('bank_statement', false)],
  });
  const name = 'Bank statement (minimum USD 2000)';
  expect(screen.getByText(name, { selector: 'li *' }).closest('li')).toHaveTextContent('Missing');
  // Counted once; the rows below say it softly.
  const count = await screen.findByText(/1 required document is missing/);
  expect(count.parentElement).toHaveTextContent(name);
  const passport = screen.getByText('Travel document').closest('li');
  expect(passport).toHaveTextContent('On file');
  expect(passport).toHaveTextContent('passport_picture.pdf · PDF · 4.8 kB · 18-11-2026');
});

test('each move that the server allows is a button, and only these', async () => {
  await openOrder();
  expect(moveNames()).toEqual([
    'Assign to me',
    'Completed Orders',
    'Awaiting Govt',
    'Contact Customer',
    'Customer Called',
    'Completed Refunds',
    'ChargeBack',
    'Delete',
  ]);
});

test('actions that the server does not allow are not offered', async () => {
  const moves = ['Completed' as const];
  const allowed = allowedOnDetail({ assign_to_me: false, delete: false, send_mail: false, moves });
  await openOrder({ allowed: { ...allowed, remark: false, upload_visa: false } });
  expect(moveNames()).toEqual(['Completed Orders']);
  expect(screen.queryByRole('form', { name: 'Resend email' })).toBeNull();
  expect(screen.queryByRole('form', { name: 'Send the download link' })).toBeNull();
  expect(screen.queryByRole('form', { name: 'Add Comment Below' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Upload and email via AWS' })).toBeNull();
});

test('a move sends the shown version, reloads the order and can be undone', async () => {
  signedInAs(member());
  let order = detailsOf(100234);
  answerDetails(() => order);
  const sent = takeMoves((process_status) => {
    const allowed = allowedOnDetail({ moves: ['Awaiting'] });
    order = { ...order, process_status, allowed, updated_at: '2026-11-20T09:00:00Z' };
  });
  const user = await openApp(PAGE);
  await user.click(await screen.findByRole('button', { name: 'Awaiting Govt' }));
  expect(
    await screen.findByText('Order has been moved to AwaitingGovt successfully'),
  ).toBeVisible();
  expect(moveNames()).toContain('Awaiting Response');
  expect(moveNames()).not.toContain('Awaiting Govt');
  const undone = takeUndos();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone: order 100234 is as it was before')).toBeVisible();
  expect(undone).toEqual([4711]);
  expect(sent).toEqual([
    {
      orderId: [100234],
      updatingStatus: 'AwaitingGovt',
      updated_at: '2026-11-19T02:30:58.123456Z',
    },
  ]);
});

test('a move of an order that changed meanwhile is refused, and the order is reloaded', async () => {
  signedInAs(member());
  let order = detailsOf(100234);
  answerDetails(() => order);
  const message = 'Nothing was changed: Budi changed order 100234 at 20-11-2026 09:00:00 WIB';
  server.use(
    put(MOVE, () => {
      order = { ...order, process_status: 'Completed' };
      return refusal(409, message, 'order_changed_meanwhile', { order_id: 100234 });
    }),
  );
  const user = await openApp(PAGE);
  await user.click(await screen.findByRole('button', { name: 'Customer Called' }));
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByText('Completed')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('deleting asks first; cancelled, nothing is sent', async () => {
  const sent = takeMoves(() => undefined);
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(screen.getByText('Are you sure you want to delete?')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await user.click(screen.getByRole('button', { name: 'Yes, delete' }));
  await waitFor(() => expect(sent).toMatchObject([{ updatingStatus: 'Deleted' }]));
});

test('a change that the server cannot undo offers no Undo', async () => {
  server.use(put(MOVE, () => success({ changed: 0, undo: null }, 'Order has been moved')));
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Awaiting Govt' }));
  expect(await screen.findByText('Order has been moved')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a deleted order can be restored with permission', async () => {
  const user = await openOrder({
    process_status: 'Deleted',
    allowed: allowedOnDetail({ restore: true }),
  });
  const restored: unknown[] = [];
  server.use(
    put('/api/admin/restore-orders', async ({ request }) => {
      restored.push(await request.json());
      return success({ changed: 1 }, 'Order has been restored successfully');
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Restore' }));
  await user.click(screen.getByRole('button', { name: 'Yes, restore' }));
  expect(await screen.findByText('Order has been restored successfully')).toBeVisible();
  expect(restored).toEqual([{ orderId: [100234] }]);
});

test('an order that another member owned is moved to its original folder, and the server undoes that', async () => {
  const undone = takeUndos();
  const sent = takePuts('/api/admin/assign-order-status', () =>
    success(undoOf(4712), 'Given back'),
  );
  const allowed = allowedOnDetail({ assign_to_me: false, unassign: true });
  const user = await openOrder({ assign_to: 'Budi', allowed });
  expect(moveNames()).not.toContain('Assign to me');
  await user.click(screen.getByRole('button', { name: 'Move to Original Folder' }));
  expect(screen.getByText('Are you sure want to move orders to new orders.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Yes, move' }));
  expect(await screen.findByText('Given back')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(undone).toEqual([4712]));
  expect(sent).toEqual([{ orderId: [100234], assignto: '' }]);
});

test('an unknown order is reported', async () => {
  signedInAs(member());
  server.use(get(DETAILS, () => refusal(404, 'There is no such order', 'order_not_found')));
  await openApp(PAGE);
  const title = { level: 1, name: 'This order does not exist' };
  expect(await screen.findByRole('heading', title)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('an invalid link leads to no order', async () => {
  signedInAs(member());
  await openApp('/admin/view-order/nonsense');
  expect(await screen.findByText('This order does not exist')).toBeVisible();
});

test('an order that fails to load can be retried', async () => {
  signedInAs(member());
  answerDetails(() => detailsOf(100234));
  server.use(get(DETAILS, () => refusal(500, 'Incident 4f2a'), { once: true }));
  const user = await openApp(PAGE);
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Unassigned')).toBeVisible();
});
