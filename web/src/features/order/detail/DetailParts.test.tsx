import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { allowedOnDetail } from '@/testing/allowed';
import { answerDisputes } from '@/testing/chargebacks';
import { openOrder } from '@/testing/openOrder';
import { asked, storedFile } from '@/testing/orderDetails';
import { screenOf } from '@/testing/screenOf';
import { put, server, success } from '@/testing/server';
import { showTab } from './DetailTabs';

afterEach(() => showTab('documents'));

const tab = (name: string) => screen.getByRole('tab', { name });
const comment = () => screen.getByRole('textbox', { name: 'Add Comment Below' });

test('on a wide screen all parts are shown, without tabs', async () => {
  await openOrder();
  expect(screen.queryByRole('tablist')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Order Details' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Timeline' })).toBeVisible();
});

test('without the sidebar there is room for all parts from 992 px', async () => {
  const resize = screenOf(1024);
  const user = await openOrder();
  expect(tab('Data')).toBeVisible();
  await user.keyboard('s');
  expect(screen.queryByRole('tablist')).toBeNull();
  act(() => resize(991));
  expect(tab('Data')).toBeVisible();
});

test('below 1,216 px the parts are tabs, which arrows, Home and End choose', async () => {
  screenOf(1215);
  const user = await openOrder({ required_documents: [asked('bank_statement', false)] });
  expect(tab('Documents 1 missing')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByRole('tabpanel', { name: 'Documents 1 missing' })).toBeVisible();
  expect(screen.getByText('Order Details')).not.toBeVisible();
  await user.click(tab('Data'));
  expect(screen.getByRole('tabpanel', { name: 'Data' })).toBeVisible();
  expect(screen.getByText('Order Details')).toBeVisible();
  await user.keyboard('{ArrowRight}');
  expect(tab('Histories')).toHaveFocus();
  expect(screen.getByRole('region', { name: 'Email History' })).toBeVisible();
  await user.keyboard('{End}');
  expect(tab('Timeline')).toHaveAttribute('aria-selected', 'true');
  await user.keyboard('{ArrowRight}');
  expect(tab('Documents 1 missing')).toHaveFocus();
  await user.keyboard('{ArrowLeft}{Home}');
  expect(tab('Documents 1 missing')).toHaveFocus();
  const focusable = screen.getAllByRole('tab').filter((it) => it.tabIndex === 0);
  expect(focusable).toEqual([tab('Documents 1 missing')]);
});

test('an order that has a defence has a tab for it', async () => {
  screenOf(1215);
  answerDisputes();
  const allowed = allowedOnDetail({ make_packs: true });
  const user = await openOrder({ process_status: 'Completed', allowed });
  await user.click(tab('Defence'));
  expect(await screen.findByRole('region', { name: 'Defence Packs' })).toBeVisible();
});

test('an order without the chosen tab shows its documents', async () => {
  screenOf(1215);
  showTab('defence');
  await openOrder();
  expect(screen.queryByRole('tab', { name: 'Defence' })).not.toBeInTheDocument();
  expect(screen.getByRole('tabpanel', { name: 'Documents' })).toBeVisible();
});

test('what was typed and opened stays while tabs and widths change', async () => {
  const resize = screenOf(1440);
  const user = await openOrder({ place_of_birth: 'Perth' });
  const field = comment();
  await user.type(field, 'Called, sends it');
  const email = screen.getByLabelText('Email');
  await user.clear(email);
  await user.type(email, 'ann@post.example');
  await user.click(
    screen.getByRole('button', { name: /^Personal and Contact Information: .* show$/ }),
  );
  act(() => resize(900));
  await user.click(tab('Timeline'));
  await user.click(tab('Data'));
  expect(comment()).toBe(field);
  expect(field).toHaveValue('Called, sends it');
  expect(screen.getByLabelText('Email')).toHaveValue('ann@post.example');
  expect(
    screen.getByRole('button', { name: /^Personal and Contact Information: .* hide$/ }),
  ).toBeVisible();
  act(() => resize(390));
  expect(comment()).toBe(field);
  expect(field).toHaveValue('Called, sends it');
});

test('the link of a document shows its tab', async () => {
  Element.prototype.scrollIntoView = () => {};
  screenOf(900);
  const issued = {
    file1: 'visa.pdf',
    link: 'uploads/visa.pdf?e=1&s=1',
    customer_name: 'Emily Rose Clarke',
    create_ts: '2026-11-20T02:00:00Z',
    is_withdrawn: false,
  };
  const photo = storedFile('upload_picture', { file1: 'photo.jpg', label: 'Photo' });
  const user = await openOrder({ documents: [photo], uploadDoc: [issued] });
  await user.click(tab('Timeline'));
  await user.click(screen.getByRole('link', { name: 'Emily Rose Clarke' }));
  expect(tab('Documents')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText('2 of 2')).toBeVisible();
});

const sheet = () => screen.queryByRole('dialog', { name: 'Move order 100234' });

test('the sheet has every action that the server allows, Delete last, and runs the chosen one', async () => {
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/move-order-status', async ({ request }) => {
      sent.push(await request.json());
      return success({ changed: 1 }, 'Moved');
    }),
  );
  screenOf(390);
  const user = await openOrder();
  const bar = within(screen.getByRole('region', { name: 'Actions' }));
  await user.click(bar.getByRole('button', { name: 'Move' }));
  expect(within(sheet()!).getByText('Now in Awaiting Customer')).toBeVisible();
  const names = within(sheet()!)
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(names).toEqual([
    'Assign to me…',
    'Completed Orders',
    'Awaiting Govt',
    'Contact Customer',
    'Customer Called',
    'Completed Refunds',
    'ChargeBack',
    'Delete…',
    'Cancel',
  ]);
  await user.click(within(sheet()!).getByRole('button', { name: 'Awaiting Govt' }));
  expect(sheet()).toBeNull();
  await waitFor(() => expect(sent).toMatchObject([{ updatingStatus: 'AwaitingGovt' }]));
});

test('nothing in the bar of a phone changes the order at one tap', async () => {
  const changes: string[] = [];
  server.use(
    put('/api/admin/:call', ({ request }) => {
      // Colleagues are told that the order is open.
      if (!request.url.endsWith('/presence')) changes.push(request.url);
      return success({ changed: 1 });
    }),
  );
  screenOf(390);
  const user = await openOrder();
  const bar = within(screen.getByRole('region', { name: 'Actions' }));
  expect([...bar.getAllByRole('button'), ...bar.getAllByRole('link')]).toHaveLength(3);
  expect(bar.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+447700904411');
  await user.click(bar.getByRole('button', { name: 'Comment' }));
  expect(screen.getByRole('textbox', { name: 'Add Comment Below' })).toHaveFocus();
  await user.click(bar.getByRole('button', { name: 'Move' }));
  expect(sheet()).toBeVisible();
  expect(changes).toEqual([]);
});

test('an action of the sheet that asks does so after the sheet has closed', async () => {
  screenOf(390);
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Move' }));
  await user.click(within(sheet()!).getByRole('button', { name: /^Delete/ }));
  expect(await screen.findByText('Are you sure you want to delete?')).toBeVisible();
  expect(sheet()).toBeNull();
});

test('the key m opens the sheet, and not where nothing is allowed', async () => {
  const user = await openOrder();
  await user.keyboard('m');
  expect(sheet()).toBeVisible();
  await user.click(within(sheet()!).getByRole('button', { name: 'Cancel' }));
  expect(sheet()).toBeNull();
});

test('an order without actions has neither bar nor sheet', async () => {
  screenOf(390);
  const nothing = allowedOnDetail({ assign_to_me: false, delete: false, moves: [], remark: false });
  const user = await openOrder({ allowed: nothing, telephone: null });
  expect(screen.queryByRole('region', { name: 'Actions' })).toBeNull();
  await user.keyboard('m');
  expect(sheet()).toBeNull();
});
