import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp } from '@/testing/openApp';
import { get, listOf, member, orderNumber, server, signedInAs, success } from '@/testing/server';

const own = (id: number) => {
  const row = orderNumber(id);
  return { ...row, allowed: { ...row.allowed, hand_over: true } };
};

test('the note about one order is never offered for another', async () => {
  signedInAs(member());
  const colleagues = [{ staff_id: 8, name: 'Sari Dewi', type: 'Team' as const }];
  server.use(
    listOf('myOrder', [own(100235), own(100234)]),
    get('/api/admin/colleagues', () => success({ data: colleagues })),
  );
  const user = await openApp('/admin/my-order');
  const pick = async (id: number) => {
    const row = await screen.findByRole('row', { name: new RegExp(String(id)) });
    await user.click(within(row).getByRole('checkbox'));
  };
  const ask = async (id: number) => {
    await pick(id);
    await user.click(screen.getByRole('button', { name: 'Hand over' }));
    const dialog = await screen.findByRole('dialog', { name: `Hand over order ${id}` });
    return within(dialog).getByLabelText('Note (optional)');
  };
  await user.type(await ask(100235), 'She asked for you');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await pick(100235);
  expect(await ask(100234)).toHaveValue('');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await pick(100234);
  expect(await ask(100235)).toHaveValue('She asked for you');
});
