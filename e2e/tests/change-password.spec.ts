import type { Page } from '@playwright/test';

import { expectToast, tabTo } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';

const SCREEN = '/admin/change-password';
const NEW_PASSWORD = 'quite another password';

/** The product's own cost of hashing, which the other tests replace by the cheapest. */
const OWN_COST = {
  VISADESK_PASSWORDS__MEMORY_KIB: undefined,
  VISADESK_PASSWORDS__PASSES: undefined,
};

test.use({ as: 'Night Staff', settings: OWN_COST });

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email ID').fill(STAFF['Night Staff'].email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: /^Sign In/ }).click();
}

test('a new password ends the session, and only it signs in again', async ({ page }) => {
  await page.goto('/admin');
  await page.getByRole('link', { name: 'Change Password' }).click();
  await page.getByLabel('Enter New Password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expectToast(page, 'status', 'Your password has been changed');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page).toHaveURL('/');
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();

  await signIn(page, PASSWORD);
  await expectToast(page, 'alert', 'The email address or the password is wrong');
  await signIn(page, NEW_PASSWORD);
  await expect(page.getByText(`Welcome, ${STAFF['Night Staff'].name}`)).toBeVisible();
});

test('a missing, short or common password is refused', async ({ page }) => {
  await page.goto(SCREEN);
  const update = page.getByRole('button', { name: 'Update Password' });
  await update.click();
  await expect(page.getByText('Please enter your New Password')).toBeVisible();
  await page.getByLabel('Enter New Password').fill('short');
  await expect(page.getByText('New Password must be at least 6 characters')).toBeVisible();
  await page.getByLabel('Enter New Password').fill('password');
  await update.click();
  await expectToast(page, 'alert', 'This password is too common');
  await expect(page).toHaveURL(SCREEN);
});

test('the password is shown and changed with the keyboard alone', async ({ page }) => {
  await page.goto(SCREEN);
  const password = page.getByLabel('Enter New Password');
  await tabTo(page, password);
  await page.keyboard.type(NEW_PASSWORD);
  await tabTo(page, page.getByRole('button', { name: 'Show password' }));
  await page.keyboard.press('Space');
  await expect(password).toHaveAttribute('type', 'text');
  await tabTo(page, page.getByRole('button', { name: 'Update Password' }));
  await page.keyboard.press('Enter');
  await expectToast(page, 'status', 'Your password has been changed');
});

test('the form fits every width', async ({ page }) => {
  await page.goto(SCREEN);
  await expect(page.getByLabel('Enter New Password')).toBeVisible();
  await inspect(page, 'change-password');
});
