import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import type { OrderDetails } from '@/api/types';
import { allowedOnDetail } from '@/testing/allowed';
import { answerDisputes, packDetails, packOf } from '@/testing/chargebacks';
import { closeApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { post, refusal, server, success } from '@/testing/server';

const PDF = '/api/admin/get-defence-pack-pdf';
const SAVE = '/api/admin/save-transaction-details';
const card = () => screen.findByRole('region', { name: 'Defence Packs' });
const button = async (name: string) => within(await card()).getByRole('button', { name });
const url = (link: string) => `${location.origin}/${link}`;

/** A stub of the tab that a click opens. */
function nextTab() {
  const tab = {
    opener: window as Window | null,
    closed: false,
    document: document.implementation.createHTMLDocument(),
    location: { replace: vi.fn<(url: string) => void>() },
    close: vi.fn<() => void>(),
  };
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  return tab;
}

/** Serves the packs. Returns the sent bodies. */
function takePacks(answer: () => Response): unknown[] {
  const sent: unknown[] = [];
  server.use(
    post(PDF, async ({ request }) => {
      sent.push(await request.json());
      return answer();
    }),
  );
  return sent;
}

const pdf = (packId: number) => {
  const headers = { 'Content-Type': 'application/pdf', 'Pack-Id': String(packId) };
  return new HttpResponse('%PDF-1.7', { headers }) as Response;
};

const allowed = allowedOnDetail({ make_packs: true, edit_transaction: true });

async function openDelivered(order: Partial<OrderDetails> = {}, details = packDetails) {
  answerDisputes(details);
  const user = await openOrder({ process_status: 'Completed', allowed, ...order });
  await screen.findByRole('heading', { name: 'Evidence' });
  return user;
}

test.each([
  [true, true, ['Defence Pack 1', 'Defence Pack 2', 'Enter Transaction Details']],
  [true, false, ['Defence Pack 1', 'Defence Pack 2']],
  [false, false, []],
])('packs allowed: %s, details of the transaction: %s', async (make_packs, edit, expected) => {
  answerDisputes();
  await openOrder({ allowed: allowedOnDetail({ make_packs, edit_transaction: edit }) });
  if (make_packs) await card();
  const names = /^(Defence Pack 1|Defence Pack 2|Enter Transaction Details)$/;
  const buttons = screen.queryAllByRole('button', { name: names });
  expect(buttons.map(({ textContent }) => textContent)).toEqual(expected);
});

test('present and missing evidence is shown before a pack is made', async () => {
  const why = 'Two earlier orders match.';
  const prior = {
    order_number: 'VD-100100',
    at: '2026-05-20T03:00:00Z',
    days_before: 182,
    matches: ['address', 'device'],
  };
  await openDelivered({}, () =>
    packDetails({ ce3: { eligible: true, why, priors: [prior] }, packs: [packOf()] }),
  );
  const region = within(await card());
  expect(region.getByText('Payment').nextElementSibling).toHaveTextContent('USD 119.00, Visa 4242');
  expect(region.getByText('Purchase IP').nextElementSibling).toHaveTextContent('Missing');
  expect(region.getByText('1 of 2 pieces missing')).toBeVisible();
  expect(region.getByText(/downloads? by the customer/)).toHaveTextContent(
    '3 downloads by the customer, 1 by staff left out · 1 email',
  );
  expect(region.getByText('Eligible')).toBeVisible();
  expect(region.getByText(why)).toBeVisible();
  const priors = within(region.getByRole('list', { name: 'Earlier orders' }));
  expect(priors.getByRole('listitem')).toHaveTextContent(
    'VD-100100 · 20-05-2026 10:00:00 WIB · 182 days beforeSame address, device',
  );
  const made = within(region.getByRole('list', { name: 'Generated packs' }));
  expect(made.getByRole('listitem')).toHaveTextContent(
    'DP1100234.pdf · Defence Pack 1 · 3 pages · 84 kBAyu Lestari, 20-11-2026 09:01:07 WIB',
  );
  expect(made.getByRole('link')).toHaveAttribute('href', url(packOf().link));
});

test('a pack opens in the window of the click, under its signed link', async () => {
  const tab = nextTab();
  const packs = [packOf()];
  const sent = takePacks(() => {
    packs.unshift(packOf({ pack_id: 2, link: 'uploads/new.pdf?e=1&s=2' }));
    // Another member of staff makes a pack at the same time.
    packs.unshift(packOf({ pack_id: 3, link: 'uploads/other.pdf?e=1&s=2' }));
    return pdf(2);
  });
  const user = await openDelivered({}, () => packDetails({ packs: [...packs] }));
  await user.click(await button('Defence Pack 1'));
  expect(window.open).toHaveBeenCalledExactlyOnceWith('', '_blank');
  expect(tab.opener).toBeNull();
  expect(tab.document.body.textContent).toBe('Preparing Defence Pack 1…');
  await waitFor(() =>
    expect(tab.location.replace).toHaveBeenCalledExactlyOnceWith(url('uploads/new.pdf?e=1&s=2')),
  );
  expect(sent).toEqual([{ orderId: 100234, defencePackType: 1 }]);
  expect(await screen.findByText('Defence Pack 1 is ready')).toBeVisible();
  expect(screen.getAllByRole('link', { name: 'DP1100234.pdf' })).toHaveLength(3);
});

test('a refused pack closes the window and shows the reason', async () => {
  const tab = nextTab();
  takePacks(() => refusal(503, 'The pack could not be made just now. Please try again.'));
  const user = await openDelivered();
  await user.click(await button('Defence Pack 2'));
  expect(await screen.findByText(/could not be made just now/)).toBeVisible();
  expect(tab.close).toHaveBeenCalledOnce();
  expect(tab.location.replace).not.toHaveBeenCalled();
});

test('with popups blocked the toast offers the pack', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  takePacks(() => pdf(packOf().pack_id));
  const user = await openDelivered({}, () => packDetails({ packs: [packOf()] }));
  await user.click(await button('Defence Pack 1'));
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  expect(open).toHaveBeenLastCalledWith(url(packOf().link), '_blank', 'noopener,noreferrer');
});

test('evidence that fails to load can be retried', async () => {
  answerDisputes();
  server.use(
    post('/api/admin/defence-pack-details', () => refusal(500, 'Incident 4f2a'), { once: true }),
  );
  const user = await openOrder({ process_status: 'Completed', allowed });
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Evidence' })).toBeVisible();
});

test('transaction details need both fields and are kept until saved', async () => {
  const sent: unknown[] = [];
  server.use(
    post(SAVE, async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? HttpResponse.error() : success({}, 'Saved');
    }),
  );
  const user = await openDelivered();
  await user.click(await button('Enter Transaction Details'));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByLabelText('Transaction Id')).toHaveFocus();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Please enter your Transaction Id')).toBeVisible();
  expect(dialog.getByText('Please enter your Merchant Name')).toBeVisible();
  await user.type(dialog.getByLabelText('Transaction Id'), ' TX-1 ');
  await user.type(dialog.getByLabelText('Merchant Name'), 'Island Visas');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/The server cannot be reached/)).toBeVisible();
  expect(dialog.getByLabelText('Transaction Id')).toHaveValue(' TX-1 ');
  const saveAgain = dialog.getByRole('button', { name: 'Save' });
  await waitFor(() => expect(saveAgain).toHaveAttribute('aria-disabled', 'false'));
  await user.click(saveAgain);
  expect(await screen.findByText('Saved')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const details = { orderId: 100234, transactionId: 'TX-1', merchantName: 'Island Visas' };
  expect(sent).toEqual([details, details]);
  expect(sessionStorage).toHaveLength(0);
});

test('a transaction draft survives Cancel and a reload', async () => {
  const order = { merchant_name: 'Island Visas', transaction_id: 'TX-0' };
  const user = await openDelivered(order);
  await user.click(await button('Enter Transaction Details'));
  await user.type(screen.getByLabelText('Transaction Id'), '-9');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  closeApp();
  const later = await openDelivered(order);
  await later.click(await button('Enter Transaction Details'));
  expect(screen.getByLabelText('Transaction Id')).toHaveValue('TX-0-9');
  expect(screen.getByLabelText('Merchant Name')).toHaveValue('Island Visas');
});
