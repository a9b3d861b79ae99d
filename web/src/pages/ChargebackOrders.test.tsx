import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderSummary } from '@/api/types';
import { allowedInList } from '@/testing/allowed';
import { openApp } from '@/testing/openApp';
import { rowOf } from '@/testing/openList';
import { listOf, member, orderNumber, server, signedInAs } from '@/testing/server';

const disputed = (id: number, chargeback: Partial<NonNullable<OrderSummary['chargeback']>>) =>
  orderNumber(id, {
    process_status: 'ChargeBack',
    chargeback: {
      respond_by: '2026-12-18',
      working_deadline: '2026-11-25',
      days_left: 5,
      urgency: 'Soon',
      outcome: 'Open',
      ...chargeback,
    },
  });

test('the list has its columns, and the deadline is under the status', async () => {
  signedInAs(member());
  server.use(
    listOf('chargeBackOrder', [
      disputed(100236, { days_left: -2, urgency: 'Overdue' }),
      disputed(100234, {}),
      disputed(100235, { days_left: null, urgency: 'Won', outcome: 'Won' }),
    ]),
  );
  await openApp('/admin/chargeback');
  const late = (await rowOf(100236)).getByText('Overdue');
  expect(late).toHaveAttribute('data-tone', 'danger');
  expect(late.closest('td')).toHaveTextContent('ChargeBackOverdue by 2 days');
  const soon = (await rowOf(100234)).getByText('5 days left');
  expect(soon).toHaveTextContent('5 days left · Soon');
  expect(soon.closest('[title]')).toHaveAttribute(
    'title',
    'Answer by 25-11-2026; the bank waits until 18-12-2026',
  );
  expect((await rowOf(100235)).getByText('Won')).not.toHaveAttribute('data-tone');
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(headers.join(' ').trim()).toBe(
    'Order Id Email Telephone Date and Time Owner Status Action',
  );
  // As the server answers: what is late comes first.
  const ids = screen.getAllByRole('checkbox', { name: /Select \d/ });
  expect(ids.map((box) => box.getAttribute('aria-label'))).toEqual([
    'Select 100236',
    'Select 100234',
    'Select 100235',
  ]);
});

test('a row has Delete where the server allows it', async () => {
  signedInAs(member({}));
  const closed = { ...disputed(100235, {}), allowed: allowedInList({ delete: false }) };
  server.use(listOf('chargeBackOrder', [disputed(100234, {}), closed]));
  await openApp('/admin/chargeback');
  expect((await rowOf(100234)).getByRole('button', { name: 'Delete 100234' })).toBeVisible();
  const cells = await rowOf(100235);
  expect(cells.getByRole('link', { name: 'View 100235' })).toBeVisible();
  expect(cells.queryByRole('button')).toBeNull();
});
