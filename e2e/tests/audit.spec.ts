import { expectToast, open, row, tabTo } from '../support/staffActions.ts';
import { expectAccessible, inspect, inspectState } from '../support/visualChecks.ts';
import { STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';

test.use({ as: 'Admin' });

test('changes to an order appear in its timeline and in the filtered audit', async ({
  page,
  server,
}) => {
  await server.importOrders([{ external_reference: 'AUDIT-1' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller AUDIT-1');
  const id = (await page.getByRole('heading', { level: 1 }).innerText()).replaceAll(/\D/g, '');
  await page.getByRole('button', { name: 'Customer Called' }).click();
  await expectToast(page, 'status', /Customer Called/);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByRole('listitem').first()).toContainText('New → Customer Called');
  await expect(timeline.getByRole('listitem').first()).toContainText(STAFF.Admin.name);
  await expect(timeline.getByRole('listitem').last()).toContainText('Order received');

  await timeline.getByRole('link', { name: 'Audit of this order' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit');
  await expect(row(page, 'Order received')).toContainText(id);
  await expect(row(page, 'New → Customer Called')).toContainText(STAFF.Admin.name);

  await page.getByLabel('Action').selectOption('Order moved');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(row(page, 'Order received')).toHaveCount(0);
  await expect(row(page, 'New → Customer Called')).toBeVisible();
  await page.getByLabel('Person').fill(STAFF.Manager.name);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('No records found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(row(page, 'New → Customer Called')).toBeVisible();
});

test('older entries load on demand', async ({ page, server }) => {
  const many = Array.from({ length: 60 }, (_, index) => ({ external_reference: `MANY-${index}` }));
  await server.importOrders(many);
  await page.goto('/admin/audit?action=order.arrive');
  await expect(page.getByRole('row')).toHaveCount(51);
  await page.getByRole('button', { name: 'Show older' }).click();
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(51);
});

test(
  'the audit is filtered with the keyboard alone',
  { tag: '@screen' },
  async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'KEYS-1' }]);
    await page.goto('/admin/audit');
    await tabTo(page, page.getByLabel('Person'));
    await page.keyboard.type(STAFF.Admin.name);
    await tabTo(page, page.getByLabel('Action'));
    await page.keyboard.type('Signed in');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Submit' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/person=Ayu\+Lestari&action=staff\.sign_in$/);
    await expect(row(page, 'Order received')).toHaveCount(0);
    await expect(row(page, 'Signed in').first()).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Clear', exact: true }));
    await page.keyboard.press('Enter');
    await tabTo(page, row(page, 'Order received').first().getByRole('link'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d+/ })).toBeVisible();
  },
);

test('the audit fits every width', async ({ page, server }) => {
  const name = 'Raden Ajeng Siti Maria Magdalena Kusumawardhani Soerjadiningrat';
  await server.call('Admin', 'POST', 'admin/add-team-member', {
    name,
    email: 'siti@desk.example',
    password: 'another long one',
    type: 'Night Staff',
  });
  await server.importOrders([{ external_reference: 'AUDIT-2' }]);
  await page.goto('/admin/audit');
  await expect(row(page, 'Order received').first()).toBeVisible();
  await inspect(page, 'audit');
  await page.goto('/admin/audit?person=Nobody');
  await expect(page.getByText('No records found')).toBeVisible();
  await expectAccessible(page, 'an empty audit');
});

test('the timeline of an order fits every width', async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'AUDIT-4' }]);
  await page.goto('/admin/recent-order');
  await open(page, 'Traveller AUDIT-4');
  const actions = page.getByRole('region', { name: 'Actions' });
  for (const target of ['Awaiting Response', 'Awaiting Govt', 'Contact Customer']) {
    await actions.getByRole('button', { name: target }).click();
    await expect(actions.getByRole('button', { name: target })).toHaveCount(0);
  }
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline).toContainText('Awaiting Customer → Awaiting Govt');
  // Where the timeline is a tab, it stays chosen.
  await page.setViewportSize({ width: 900, height: 900 });
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await inspectState(page, 'timeline', timeline);
});

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  test('sees an order’s timeline, but not the audit', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'AUDIT-3' }]);
    await page.goto('/admin/recent-order');
    await open(page, 'Traveller AUDIT-3');
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await expect(timeline.getByRole('listitem')).toHaveCount(1);
    await expect(timeline.getByRole('link')).toHaveCount(0);
    await page.goto('/admin/audit');
    await expect(page.getByText('Manager staff may not do this')).toBeVisible();
  });
});
