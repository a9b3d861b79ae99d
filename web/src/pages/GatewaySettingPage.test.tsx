import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp } from '@/testing/openApp';
import { get, member, post, refusal, server, signedInAs, success } from '@/testing/server';

/** Gateways of which one is active; answers what was asked for. */
function gatewaysWith(active: number): { sent: unknown[] } {
  signedInAs(member());
  const state = { active, sent: [] as unknown[] };
  const names = ['Stripe', 'Adyen', 'PayPal'];
  server.use(
    get('/api/admin/payment-gateways', () => {
      const data = names.map((gateway_name, index) => {
        const is_active = index + 1 === state.active ? '1' : '0';
        return { id: index + 1, gateway_name, is_active };
      });
      return success({ data });
    }),
    post('/api/admin/payment-gateway-setting', async ({ request }) => {
      const body = (await request.json()) as { gatewayId: number };
      state.sent.push(body);
      state.active = body.gatewayId;
      return success({}, `${names[body.gatewayId - 1]} is the active gateway now`);
    }),
  );
  return state;
}

const choice = () => screen.findByLabelText('Gateway');
const activate = () => screen.getByRole('button', { name: 'Active Gateway' });

test('the active gateway is preselected, and another can be activated', async () => {
  const { sent } = gatewaysWith(1);
  const user = await openApp('/admin/gateway-setting');
  await waitFor(async () => expect(await choice()).toHaveValue('1'));
  expect(screen.getByRole('option', { name: 'Stripe (active)' })).toBeVisible();
  expect(screen.getByText(/Payments go through Stripe now/)).toBeVisible();
  await user.selectOptions(await choice(), 'Adyen');
  await user.click(activate());
  expect(await screen.findByText('Adyen is the active gateway now')).toBeVisible();
  expect(sent).toEqual([{ gatewayId: 2 }]);
  expect(await screen.findByText(/Payments go through Adyen now/)).toBeVisible();
  await waitFor(async () => expect(await choice()).toHaveValue('2'));
});

test('without a gateway the field shows its error, and nothing is sent', async () => {
  const { sent } = gatewaysWith(1);
  const user = await openApp('/admin/gateway-setting');
  await waitFor(async () => expect(await choice()).toHaveValue('1'));
  await user.selectOptions(await choice(), '');
  await user.click(activate());
  expect(await screen.findByText('Please select gateway')).toBeVisible();
  expect(sent).toEqual([]);
});

test('a refused switch shows the reason and the active gateway', async () => {
  gatewaysWith(1);
  server.use(
    post('/api/admin/payment-gateway-setting', () =>
      refusal(409, 'This gateway can be chosen no more'),
    ),
  );
  const user = await openApp('/admin/gateway-setting');
  await waitFor(async () => expect(await choice()).toHaveValue('1'));
  await user.selectOptions(await choice(), 'PayPal');
  await user.click(activate());
  expect(await screen.findByText('This gateway can be chosen no more')).toBeVisible();
  expect(screen.getByText(/Payments go through Stripe now/)).toBeVisible();
});

test('gateways that fail to load can be retried', async () => {
  gatewaysWith(1);
  server.use(
    get('/api/admin/payment-gateways', () => refusal(500, 'Incident 4f2a'), { once: true }),
  );
  const user = await openApp('/admin/gateway-setting');
  expect(await screen.findByText('Incident 4f2a')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await choice()).toBeVisible();
});
