/** The second factor and the sessions of a member of staff. */

import type { Browser, Page } from '@playwright/test';
import { TOTP } from 'otpauth';

import { confirm, expectToast, row } from '../support/staffActions.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

const SCREEN = '/admin/security';
const STEP_MS = 30_000;

const code = (page: Page) => page.getByLabel('Code of your authenticator app');

/** The authenticator app of a phone that typed the key off the screen. */
async function phoneFor(page: Page): Promise<TOTP> {
  const key = await page.getByText('Or type this key').locator('code').innerText();
  return new TOTP({ secret: key.replaceAll(' ', '') });
}

/** Sets up an app with the keyboard alone. Returns it and the recovery codes. */
async function enrol(page: Page): Promise<[TOTP, string[]]> {
  await page.goto(SCREEN);
  await page.getByRole('button', { name: 'Set up an authenticator app' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  const phone = await phoneFor(page);
  await expect(code(page)).toBeFocused();
  await page.keyboard.type(phone.generate());
  await page.keyboard.press('Enter');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  return [phone, await codes.allInnerTexts()];
}

async function enterPassword(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Email ID').fill(STAFF.Team.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

async function inAnotherBrowser(browser: Browser, url: string): Promise<Page> {
  return (await browser.newContext({ baseURL: url })).newPage();
}

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('sets up an app, signs in with it, loses the phone, and ends a session from another browser', async ({
    page,
    browser,
    server,
  }) => {
    const [phone, recoveryCodes] = await enrol(page);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await expect(page.getByText('10 recovery codes are left')).toBeVisible();
    await page.getByRole('button', { name: 'Logout' }).click();

    await enterPassword(page);
    await code(page).fill('000000');
    await page.keyboard.press('Enter');
    await expect(page.getByText('This code is wrong')).toBeVisible();
    // The code of the set-up is used up; the clock of a phone may be half a minute ahead.
    await code(page).fill(phone.generate({ timestamp: Date.now() + STEP_MS }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/admin');

    const other = await inAnotherBrowser(browser, server.url);
    await enterPassword(other);
    await other.getByRole('button', { name: 'Use a recovery code' }).click();
    await other.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
    await other.keyboard.press('Enter');
    await expect(other).toHaveURL('/admin');

    await other.goto(SCREEN);
    await expect(other.getByText('9 recovery codes are left')).toBeVisible();
    const sessions = other.getByRole('table', { name: 'Sessions' });
    await expect(sessions.getByRole('row')).toHaveCount(3);
    await expect(row(other, 'This session')).toContainText('Chrom');
    await sessions.getByRole('button', { name: /^End .*Chrom/ }).click();
    await expectToast(other, 'status', 'The session has been ended');
    await expect(sessions.getByRole('row')).toHaveCount(2);
    await page.goto(SCREEN);
    await expect(page.getByLabel('Email ID')).toBeVisible();
    await other.context().close();
  });

  test('removes the second factor again', async ({ page }) => {
    await enrol(page);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Remove the second factor' }).click();
    await confirm(page, 'Your password alone will sign you in then.');
    await expectToast(page, 'status', 'The authenticator app has been removed');
    await page.getByRole('button', { name: 'Logout' }).click();
    await enterPassword(page);
    await expect(page).toHaveURL('/admin');
  });

  test('sees screens that fit every width', async ({ page }) => {
    await page.goto(SCREEN);
    await expect(row(page, 'This session')).toBeVisible();
    await inspect(page, 'security');
    await enrol(page);
    await inspectState(page, 'recovery-codes');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await enterPassword(page);
    await expect(code(page)).toBeVisible();
    await inspectState(page, 'sign-in-code');
  });
});

test.describe('with a second factor that is required', () => {
  test.use({ settings: { VISADESK_SECOND_FACTOR__REQUIRED_FOR: 'Team, Night Staff' } });

  test('a member sets it up during the sign-in, and an Admin removes it when it is lost', async ({
    page,
    browser,
    server,
  }) => {
    await enterPassword(page);
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
    await inspectState(page, 'sign-in-enrolment');
    const phone = await phoneFor(page);
    await code(page).fill(phone.generate());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await expect(page).toHaveURL('/admin');
    await page.goto(SCREEN);
    await expect(page.getByText('10 recovery codes are left')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove the second factor' })).toHaveCount(0);

    const admin = await inAnotherBrowser(browser, server.url);
    const user = JSON.stringify({ accessToken: await server.signIn('Admin') });
    await admin.goto('/');
    await admin.evaluate((login) => localStorage.setItem('user', login), user);
    await admin.goto('/admin/manage-team');
    await admin.getByRole('link', { name: `Edit ${STAFF.Team.name}` }).click();
    await admin.getByRole('button', { name: 'Remove the second factor' }).click();
    await confirm(admin, `${STAFF.Team.name} will sign in with the password alone`);
    await expectToast(admin, 'status', 'The second factor has been removed');
    await page.goto(SCREEN);
    await expect(page.getByLabel('Email ID')).toBeVisible();
    await admin.context().close();
  });
});
