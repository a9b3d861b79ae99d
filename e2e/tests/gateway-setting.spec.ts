import { expectToast, tabTo } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { expect, test } from '../support/test.ts';

const SCREEN = '/admin/gateway-setting';

test.use({ as: 'Manager', settings: { VISADESK_GATEWAYS: 'Stripe,Adyen,PayPal' } });

test('another gateway is activated and stays active', async ({ page }) => {
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Gateway Setting' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change Gateway');
  await expect(page.getByText(/^Payments go through Stripe now/)).toBeVisible();
  const gateway = page.getByLabel('Gateway', { exact: true });
  await gateway.selectOption('');
  await page.getByRole('button', { name: 'Active Gateway' }).click();
  await expect(page.getByText('Please select gateway')).toBeVisible();

  await gateway.selectOption('Adyen');
  await page.getByRole('button', { name: 'Active Gateway' }).click();
  await expectToast(page, 'status', 'Adyen is the active gateway now');
  await expect(page.getByText(/^Payments go through Adyen now/)).toBeVisible();
  await page.reload();
  await expect(gateway.locator('option:checked')).toHaveText('Adyen (active)');
});

test('the gateway is switched with the keyboard alone', async ({ page }) => {
  await page.goto(SCREEN);
  await tabTo(page, page.getByLabel('Gateway', { exact: true }));
  await page.keyboard.type('Pay');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Active Gateway' }));
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', 'PayPal is the active gateway now');
});

test('the form fits every width', async ({ page }) => {
  await page.goto(SCREEN);
  await expect(page.getByLabel('Gateway', { exact: true })).toBeVisible();
  await inspect(page, 'gateway-setting');
});
