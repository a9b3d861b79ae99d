/** The passkeys of a member of staff, on a virtual device of the browser. */

import type { CDPSession, Page } from '@playwright/test';

import { confirm, expectToast } from '../support/staffActions.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { expect, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

const SCREEN = '/admin/security';
const LONG_NAME = 'The laptop of the front desk in Denpasar, second drawer left';

/** Browsers offer passkeys at https addresses and at localhost. */
test.use({ host: 'localhost' });

/** A device with a fingerprint reader that recognises the member. */
class Device {
  private constructor(
    private readonly cdp: CDPSession,
    private readonly id: string,
  ) {}

  static async of(page: Page): Promise<Device> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
    return new Device(cdp, authenticatorId);
  }

  /** Whether the reader recognises the finger. */
  async recognises(isUserVerified: boolean): Promise<void> {
    await this.cdp.send('WebAuthn.setUserVerified', {
      authenticatorId: this.id,
      isUserVerified,
    });
  }
}

const passkey = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem').filter({ hasText: name });

/** Adds a passkey with the keyboard alone. */
async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name of the passkey')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
}

async function enterPassword(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Email ID').fill(STAFF.Team.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test.describe('a Team member', () => {
  test.use({ as: 'Team' });

  test('adds a passkey, signs in with it, and removes it', async ({ page }) => {
    const device = await Device.of(page);
    await page.goto(SCREEN);
    await addPasskey(page, 'Work laptop');
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible();
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await expect(page.getByText('10 recovery codes are left')).toBeVisible();
    await expect(passkey(page, 'Work laptop')).toContainText('Not used yet');
    await addPasskey(page, 'Again');
    await expect(page.getByText('This device already has a passkey')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Logout' }).click();

    await enterPassword(page);
    const use = page.getByRole('button', { name: 'Use your passkey' });
    await expect(use).toBeFocused();
    await device.recognises(false);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('The passkey was not used');
    await device.recognises(true);
    await use.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/admin');

    await page.goto(SCREEN);
    await expect(passkey(page, 'Work laptop')).not.toContainText('Not used yet');
    await page.getByRole('button', { name: 'Remove Work laptop' }).click();
    await confirm(page, 'Your password alone will sign you in then.');
    await expectToast(page, 'status', 'The passkey has been removed');
    await page.getByRole('button', { name: 'Logout' }).click();
    await enterPassword(page);
    await expect(page).toHaveURL('/admin');
  });

  test('sees screens that fit every width', async ({ page }) => {
    await Device.of(page);
    await page.goto(SCREEN);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await inspectState(page, 'add-passkey');
    await page.keyboard.press('Escape');
    await addPasskey(page, LONG_NAME);
    await page.getByRole('button', { name: 'I have kept them' }).click();
    // Reload: the new list moved the sessions down, which would count as a layout shift.
    await page.goto(SCREEN);
    await expect(passkey(page, LONG_NAME)).toBeVisible();
    await inspect(page, 'passkeys');
    await page.getByRole('button', { name: 'Logout' }).click();
    await enterPassword(page);
    await expect(page.getByRole('button', { name: 'Use your passkey' })).toBeVisible();
    await inspectState(page, 'sign-in-passkey');
  });
});

test.describe('with a second factor that is required', () => {
  test.use({ settings: { VISADESK_SECOND_FACTOR__REQUIRED_FOR: 'Team' } });

  test('a member adds a passkey during the sign-in', async ({ page }) => {
    await Device.of(page);
    await enterPassword(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByLabel('Name of the passkey').fill('Phone');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I have kept them' }).click();
    await expect(page).toHaveURL('/admin');
    await page.goto(SCREEN);
    await expect(passkey(page, 'Phone')).toContainText('Required');
  });
});

test.describe('at an address without https', () => {
  test.use({ as: 'Team', host: '127.0.0.1' });

  test('passkeys are not offered', async ({ page }) => {
    await page.goto(SCREEN);
    await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
  });
});
