import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { OrderDetails, OrderFiling } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp, place } from '@/testing/openApp';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import {
  claimOf,
  get,
  listOf,
  member,
  post,
  put,
  refusal,
  server,
  signedInAs,
  success,
} from '@/testing/server';

const value = (field: string, label: string, text: string | null) => ({
  field,
  label,
  value: text,
  note: null,
});

const filingOf = (fields: Partial<OrderFiling> = {}): OrderFiling => ({
  sections: [
    {
      title: 'Passport',
      values: [
        value('full_name', 'Full name as in passport', 'EMILY ROSE CLARKE'),
        value('document_type', 'Passport type', null),
        value('document_number', 'Passport number', 'PB1204417'),
      ],
    },
  ],
  form_source: null,
  warnings: [],
  files: [],
  limits_as_of: '2026-11-21',
  filings: [],
  fees: [],
  can_file: true,
  can_refuse: false,
  ...fields,
});

const openApplication = {
  application_number: 'EV-1',
  fee: 'IDR 1500000.00',
  receipt_file1: null,
  filed_by: 'Budi',
  filed_at: '2026-11-20T00:20:31Z',
  outcome: null,
  reason: null,
  closed_by: null,
  closed_at: null,
  is_current: true,
};

async function open(filing: () => OrderFiling, order: Partial<OrderDetails> = {}) {
  signedInAs(member());
  answerDetails(() => detailsOf(100234, order));
  server.use(get('/api/admin/order-filing/:orderId', () => success({ data: filing() })));
  const user = await openApp(`${paths.viewOrder(100234)}?view=filing`);
  await screen.findByRole('heading', { name: /Copy the values/ });
  return user;
}

const submit = () => screen.getByRole('button', { name: 'Mark as filed' });
const values = () => within(screen.getByRole('region', { name: /Copy the values/ }));
const current = () => values().getAllByRole('listitem', { current: 'step' })[0];

test('the key c copies the current value, marks it and steps over what is missing', async () => {
  const user = await open(() => filingOf());
  const written = vi.spyOn(navigator.clipboard, 'writeText');
  expect(values().getByText('0 of 2 copied · 1 not in the order')).toBeVisible();
  await user.keyboard('c');
  expect(
    await values().findByText('Full name as in passport copied. Next: Passport number'),
  ).toBeInTheDocument();
  expect(current()).toHaveTextContent('PB1204417');
  await user.keyboard('kc');
  expect(await values().findByText('1 of 2 copied · 1 not in the order')).toBeVisible();
  await user.keyboard('c');
  expect(await values().findByText('2 of 2 copied · 1 not in the order')).toBeVisible();
  expect(written.mock.calls.map(([text]) => text)).toEqual([
    'EMILY ROSE CLARKE',
    'EMILY ROSE CLARKE',
    'PB1204417',
  ]);
  await user.click(screen.getByRole('link', { name: 'Order' }));
  await screen.findByRole('region', { name: 'Emails' });
  await user.keyboard('f');
  expect(await values().findByText('2 of 2 copied · 1 not in the order')).toBeVisible();
});

test('a value that is copied late takes no focus from the field that is typed into', async () => {
  const user = await open(() => filingOf());
  let copied: (() => void) | undefined;
  const copying = new Promise<void>((resolve) => {
    copied = resolve;
  });
  vi.spyOn(navigator.clipboard, 'writeText').mockReturnValueOnce(copying);
  await user.keyboard('cn');
  copied?.();
  expect(await values().findByText('1 of 2 copied · 1 not in the order')).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Application number' })).toHaveFocus();
});

test('in Filing c copies, g c copies nothing, and n leads to the application number', async () => {
  const user = await open(() => filingOf());
  server.use(listOf('completedOrder', []));
  const written = vi.spyOn(navigator.clipboard, 'writeText');
  await user.keyboard('n');
  expect(screen.getByRole('textbox', { name: 'Application number' })).toHaveFocus();
  expect(screen.getByRole('textbox', { name: 'Application number' })).toHaveValue('');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('c');
  await waitFor(() => expect(written).toHaveBeenCalledOnce());
  expect(place()).toBe(`${paths.viewOrder(100234)}?view=filing`);
  await user.keyboard('gc');
  await waitFor(() => expect(place()).toBe(paths.completedOrder));
  expect(written).toHaveBeenCalledOnce();
});

test('open warnings and files that the portal does not take are named', async () => {
  await open(() =>
    filingOf({
      warnings: [
        { text: 'Photograph, sharpness: soft. Not reviewed yet.', place: 'checks' },
        { text: 'Bank statement is wrong.', place: 'papers' },
      ],
      files: [
        {
          name: '100234-photo.jpg',
          label: 'Photograph',
          media_type: 'image/jpeg',
          size_bytes: 2_400_000,
          is_from_pdf: false,
          problem: 'too_big',
          max_bytes: 2_000_000,
        },
      ],
    }),
  );
  const warnings = within(screen.getByRole('region', { name: 'Open warnings' }));
  expect(warnings.getByRole('heading')).toHaveTextContent('2 open warnings. You can still file');
  expect(warnings.getByRole('link', { name: 'Open in the order' })).toHaveAttribute(
    'href',
    `${paths.viewOrder(100234)}#data`,
  );
  expect(warnings.getByRole('link', { name: 'Open the documents' })).toHaveAttribute(
    'href',
    `${paths.viewOrder(100234)}?view=papers`,
  );
  expect(screen.getByText('left out: 2.4 MB, the portal takes 2 MB')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Download kit' })).toBeNull();
});

test('the portal’s answer is sent with its fee, and can be undone', async () => {
  let filed = false;
  const user = await open(() =>
    filed
      ? filingOf({ can_file: false, can_refuse: true, filings: [openApplication] })
      : filingOf(),
  );
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.post('*/api/admin/file-application', async ({ request }) => {
      sent.push(Object.fromEntries(await request.formData()));
      filed = true;
      const undo = { event_id: 7, until: '2999-01-01T00:00:00Z' };
      return success({ changed: 1, undo }, 'Order 100234 has been filed as application EV-1');
    }),
  );
  expect(submit()).toBeDisabled();
  await user.type(screen.getByLabelText('Application number'), 'EV-1');
  await user.type(screen.getByLabelText('Fee paid'), '1500000');
  await user.click(submit());
  expect(await screen.findByText('Order 100234 has been filed as application EV-1')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(await screen.findByText('Refused by the portal?')).toBeVisible();
  expect(sent).toEqual([
    {
      orderId: '100234',
      isClaimed: 'true',
      applicationNumber: 'EV-1',
      feeAmount: '1500000',
      feeCurrency: 'IDR',
    },
  ]);
});

test('an order that a colleague is filing says so, and is taken over with a reason', async () => {
  const taken: unknown[] = [];
  server.use(
    put('/api/admin/claim-filing', async ({ request }) => {
      const { takeOver } = (await request.json()) as { takeOver?: string };
      if (takeOver !== undefined) taken.push(takeOver);
      return taken.length > 0
        ? success({ data: claimOf('Ayu Lestari', true) }, 'You took over from Budi')
        : refusal(409, 'Budi is filing order 100234 since 09:41', 'filing_claimed');
    }),
  );
  const user = await open(() => filingOf());
  const claimed = await screen.findByRole('alert', { name: 'Filed by a colleague' });
  expect(claimed).toHaveTextContent('Budi is filing order 100234 since 09:41.');
  await user.click(within(claimed).getByRole('button', { name: 'Take over' }));
  await user.type(screen.getByLabelText('Reason'), '{Enter}');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(within(claimed).getByRole('button', { name: 'Take over' }));
  expect(screen.getByText('Restored what you had typed.')).toBeVisible();
  await user.type(screen.getByLabelText('Reason'), 'Budi is ill');
  expect(screen.queryByText('Please enter the reason')).toBeNull();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(claimed).not.toBeInTheDocument());
  // The server trims it.
  expect(taken).toEqual(['\nBudi is ill']);
});

test('a refusal is recorded with its reason and what follows', async () => {
  const user = await open(() =>
    filingOf({ can_file: false, can_refuse: true, filings: [openApplication] }),
  );
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/refuse-application', async ({ request }) => {
      sent.push(await request.json());
      return success({}, 'Order 100234 has been moved to New successfully');
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Record refusal' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Application EV-1 was refused' }));
  await user.click(dialog.getByRole('button', { name: 'File again' }));
  expect(await dialog.findByText('Please enter the reason')).toBeVisible();
  await user.type(dialog.getByLabelText('Reason of the portal'), 'Blurred');
  // Of two buttons the keys choose none.
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Refund' }));
  expect(await screen.findByText('Order 100234 has been moved to New successfully')).toBeVisible();
  expect(JSON.stringify(sent)).toBe(
    '[{"orderId":100234,"applicationNumber":"EV-1","reason":"Blurred","then":"refund"}]',
  );
});

test('what was typed while a colleague filed the order is kept and recorded as a second application', async () => {
  const second = { ...openApplication, application_number: 'EV-2', is_current: false };
  const filed = { can_file: false, can_refuse: true, filings: [openApplication] };
  let state: OrderFiling = filingOf();
  const user = await open(() => state);
  const sent: Record<string, unknown>[] = [];
  server.use(
    http.post('*/api/admin/file-application', async ({ request }) => {
      const form = Object.fromEntries(await request.formData());
      sent.push(form);
      if (form['isSecond'] !== 'true') {
        state = filingOf(filed);
        return refusal(409, 'Order 100234 is filed already', 'order_filed_already');
      }
      const fees = ['IDR 3000000.00'];
      state = filingOf({ ...filed, filings: [second, openApplication], fees });
      return success({ changed: 0, undo: null }, 'EV-2 has been recorded beside EV-1');
    }),
  );
  await user.type(screen.getByLabelText('Application number'), 'ev-2');
  await user.type(screen.getByLabelText('Fee paid'), '1500000');
  await user.click(submit());
  const record = await screen.findByRole('button', { name: 'Record as a second application' });
  expect(screen.getByText(/has filed this order as/)).toHaveTextContent('paid EV-2 as well');
  expect(screen.getByLabelText('Fee paid')).toHaveValue('1500000');
  await user.clear(screen.getByLabelText('Application number'));
  expect(record).toBeDisabled();
  await user.type(screen.getByLabelText('Application number'), 'EV-2');
  await user.click(record);
  expect(await screen.findByText('second application')).toBeVisible();
  expect(screen.getByText('current')).toBeVisible();
  expect(screen.getByText('IDR 3,000,000.00')).toBeVisible();
  expect(screen.queryByLabelText('Application number')).toBeNull();
  expect(sent.map(({ isSecond }) => isSecond)).toEqual([undefined, 'true']);
  await user.click(screen.getAllByRole('button', { name: 'Record refusal' })[1]!);
  const dialog = within(screen.getByRole('dialog', { name: 'Application EV-2 was refused' }));
  expect(dialog.getByText(/stays in Awaiting Govt while EV-1 is open/)).toBeVisible();
});

test('what was typed about an order that a colleague filed can be discarded', async () => {
  let state = filingOf();
  const user = await open(() => state);
  server.use(
    http.post('*/api/admin/file-application', () => {
      state = filingOf({ can_file: false, can_refuse: true, filings: [openApplication] });
      return refusal(409, 'Order 100234 is filed already', 'order_filed_already');
    }),
  );
  await user.type(screen.getByLabelText('Application number'), 'EV-2');
  await user.click(submit());
  await user.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(screen.queryByLabelText('Application number')).toBeNull();
  expect(sessionStorage.getItem('visadesk.draft.filing.1.100234')).toBeNull();
});

test('an order that is done says what to do first', async () => {
  await open(() => filingOf({ can_file: false }), { process_status: 'Completed' });
  expect(screen.getByText(/This order is in Completed. Move it to New first/)).toBeVisible();
});
