import { endSession } from '../support/sessions.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expectToast, open, search } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { expect, readingTest, test } from '../support/test.ts';

const storedLogin = () => localStorage.getItem('user');

readingTest('each field shows its error while typing and on leaving it', async ({ page }) => {
  await page.goto('/');
  const email = page.getByLabel('Email ID');
  await expect(email).toHaveAttribute('placeholder', 'Your Email Address');

  await email.fill('ayu@');
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await email.fill('');
  await expect(page.getByText('Email Address is required')).toBeVisible();
  await email.fill(STAFF.Admin.email);
  await expect(page.getByText('Email Address is required')).toBeHidden();

  await page.getByLabel('Password', { exact: true }).focus();
  await email.focus();
  await expect(page.getByText('Password is required')).toBeVisible();
});

readingTest('a correct password leads to the dashboard with a toast', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('Email ID').fill(STAFF.Team.email.toUpperCase());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();

  await expectToast(page, 'status', 'You are signed in');
  await expect(page).toHaveURL('/admin');
  await expect(page.getByText(`Welcome, ${STAFF.Team.name}`)).toBeVisible();
  expect(Object.keys(JSON.parse((await page.evaluate(storedLogin)) ?? ''))).toEqual([
    'accessToken',
  ]);
});

test('a wrong password and an unknown email are refused in the same words', async ({ page }) => {
  await page.goto('/');
  const words: (string | null)[] = [];
  for (const email of [STAFF.Admin.email, 'nobody@desk.example']) {
    await page.getByLabel('Email ID').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    const answered = page.waitForResponse('**/api/admin/admin-login');
    await page.getByRole('button', { name: 'Sign In' }).click();
    const answer = await answered;
    expect(answer.status()).toBe(401);
    words.push(((await answer.json()) as { message: string }).message);
  }
  expect(words[0]).toBe(words[1]);
  await expectToast(page, 'alert', words[0] ?? '');
  await expect(page).toHaveURL('/');
});

readingTest('Forgot password? says to ask an Admin', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forgot password?' });
  await expect(dialog).toContainText('ask an Admin');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

readingTest(
  'a stored login with a malformed token counts as signed out and is removed',
  async ({ page }) => {
    await page.goto('/');
    for (const [what, accessToken] of [
      ['is not a string', 5],
      ['lacks a part', 'a.b'],
      ['is not base64', 'a.!!!!.c'],
      ['is not JSON', `a.${btoa('{"user"')}.c`],
    ] as const) {
      await page.evaluate(
        (user) => localStorage.setItem('user', user),
        JSON.stringify({ accessToken }),
      );
      await page.goto('/admin/my-order');
      await expect(page, what).toHaveURL('/');
      await expect(page.getByLabel('Email ID')).toBeVisible();
      expect(await page.evaluate(storedLogin), what).toBeNull();
    }
  },
);

readingTest('staff pages need a sign-in', async ({ page }) => {
  await page.goto('/admin/new-order');
  await page.goto('/admin/order-history');
  await expect(page).toHaveURL('/');
  await page.goto('/admin');
  await expect(page.getByLabel('Email ID')).toBeVisible();
});

readingTest('the card fits every width and is at most 810 pixels wide', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  const card = page.locator('main > div');
  expect((await card.boundingBox())?.width).toBe(810);
  await page.setViewportSize({ width: 700, height: 900 });
  expect((await card.boundingBox())?.width).toBeLessThanOrEqual(700);
  await inspect(page, 'sign-in');
});

readingTest('the page is dark before its scripts run', async ({ browser, server }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    colorScheme: 'dark',
    baseURL: server.url,
  });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(16, 21, 28)');
  await context.close();
});

test.describe('a signed-in member', () => {
  test.use({ as: 'Admin' });

  test('signs out with Logout, in the browser and on the server', async ({ page, server }) => {
    await page.goto('/');
    await expect(page).toHaveURL('/admin');
    const { accessToken } = JSON.parse((await page.evaluate(storedLogin)) ?? '') as {
      accessToken: string;
    };

    const signedOut = page.waitForResponse('**/api/admin/sign-out');
    await page.getByRole('button', { name: /^Welcome/ }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await signedOut;

    await expect(page).toHaveURL('/');
    expect(await page.evaluate(storedLogin)).toBeNull();
    const answer = await fetch(`${server.url}/api/user_info`, {
      headers: { Authorization: accessToken },
    });
    expect(answer.status).toBe(401);
  });

  test('is sent to the sign-in when the session has ended elsewhere', async ({ page, server }) => {
    // A screen whose only call is the stream of changes.
    await page.goto('/admin/change-password');
    await expect(page.getByText(`Welcome, ${STAFF.Admin.name}`)).toBeVisible();
    await endSession(page, server);
    await expectToast(page, 'alert', 'Please sign in again');
    await expect(page.getByRole('alert')).toHaveCount(1);
    await expect(page).toHaveURL('/');
    expect(await page.evaluate(storedLogin)).toBeNull();
  });
});

test.describe('a Team member whose session ends', () => {
  test.use({ as: 'Team' });

  test('signs in and is back on the order', async ({ page, server }) => {
    await server.importOrders([{ external_reference: 'BACK-1' }]);
    await page.goto('/admin/recent-order');
    await search(page, 'BACK-1');
    await open(page, 'BACK-1');
    const order = page.url();
    await page.getByRole('textbox', { name: 'Add Comment Below' }).fill('Called');
    await endSession(page, server);
    await expect(page).toHaveURL('/');
    await page.getByLabel('Email ID').fill(STAFF.Team.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('textbox', { name: 'Add Comment Below' })).toHaveValue('Called');
    await expect(page).toHaveURL(order);
  });
});
