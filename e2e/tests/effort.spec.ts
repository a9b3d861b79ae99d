/** What it takes from a new order to the mailed visa, without a mouse and with one. */

import type { Locator, Page } from '@playwright/test';

import { test } from '../support/delivery.ts';
import { expectAtMostStated, KeyboardWork, MouseWork } from '../support/effort.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { visaOf } from '../support/papers.ts';
import { PASSWORD, STAFF } from '../support/staff.ts';
import { loadedRows, row } from '../support/staffActions.ts';
import { expect } from '../support/test.ts';

const MEMBER = STAFF.Team;

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents' });
const actions = (page: Page): Locator => page.getByRole('region', { name: 'Actions' });
const upload = (page: Page): Locator => page.getByRole('form', { name: 'Upload Document' });
const fileControl = (page: Page): Locator => upload(page).getByLabel('Visa', { exact: true });

/** Waits for the order to be the member's, moved, or completed. */
async function expectState(page: Page, text: string | RegExp): Promise<void> {
  await expect(page.getByRole('main').getByText(text).first()).toBeVisible();
  await expect(actions(page)).toHaveAttribute('aria-busy', 'false');
}

/** Waits until the order has left for Awaiting Govt: the button of the status that an order has is not there. */
async function expectAwaitingGovt(page: Page): Promise<void> {
  await expect(actions(page).getByRole('button', { name: 'Awaiting Govt' })).toBeHidden();
  await expectState(page, /^Awaiting Govt$/);
}

/** The mail arrived in the real SMTP server, and the screen says so. */
async function expectDelivered(page: Page, mailbox: Mailbox): Promise<void> {
  const { recipients, mail } = await mailbox.arrival(1);
  expect(recipients).toEqual(['new-1@traveller.example']);
  expect(mail.text).toContain('/track-order/');
  const history = page.getByRole('region', { name: 'Email History' });
  await expect(history.getByText('Sent', { exact: true }).filter({ visible: true })).toBeVisible();
}

test.beforeEach(async ({ page, server }) => {
  await server.importOrders([{ external_reference: 'NEW-1', full_name: 'Wilhelmina Okonkwo' }]);
  await server.addPapers('NEW-1', 'passport_picture', 'upload_picture');
  await page.goto('/');
});

test('a new order becomes a mailed visa without a mouse', async ({ page, mailbox }) => {
  const work = new KeyboardWork(page);

  await test.step('sign in', async () => {
    await work.tabTo(page.getByLabel('Email ID'));
    await work.type(MEMBER.email);
    await work.press('Tab');
    await work.type(PASSWORD);
    await work.press('Enter');
    await expect(page.getByText(`Welcome, ${MEMBER.name}`)).toBeVisible();
  });

  await test.step('find the order', async () => {
    await work.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Find' }).getByRole('combobox')).toBeFocused();
    await work.type('okonkwo');
    await expect(page.getByRole('option', { name: /Okonkwo/ })).toBeVisible();
    await work.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: /^Order \d+/ })).toBeVisible();
  });

  await test.step('take it', async () => {
    await expect(page.getByRole('button', { name: 'Assign to me' })).toBeVisible();
    await work.press('a');
    await expect(page.getByRole('dialog')).toContainText('Are you sure want to assigned orders.');
    await work.press('Enter');
    await expectState(page, `Assigned to ${MEMBER.name}`);
    await expect(actions(page)).toBeFocused();
  });

  await test.step('look at its papers', async () => {
    await expect(viewer(page).getByText('1 of 2')).toBeVisible();
    await work.press('z', '.', 'z');
    await expect(viewer(page).getByText('2 of 2')).toBeVisible();
    await expect(viewer(page).getByRole('group', { name: / 150 %$/ })).toBeVisible();
  });

  await test.step('move it', async () => {
    await work.tabTo(actions(page).getByRole('button', { name: 'Awaiting Govt' }));
    await work.press('Enter');
    await expectAwaitingGovt(page);
  });

  await test.step('upload the visa and mail it', async () => {
    // Asked for early: the browser opens its own chooser until it knows that a test waits for it.
    const asked = page.waitForEvent('filechooser');
    await work.press('v');
    await expect(fileControl(page)).toBeFocused();
    await (await asked).setFiles(visaOf('Wilhelmina Okonkwo'));
    await expect(upload(page).getByText('e-visa.pdf')).toBeVisible();
    await work.tabTo(upload(page).getByRole('button', { name: 'Upload and email via AWS' }));
    await work.press('Enter');
    await expectDelivered(page, mailbox);
    await expectState(page, /^Completed$/);
  });

  await expectAtMostStated('keyboard, now', work.effort);
});

test('the same job with a mouse takes no more clicks than stated', async ({ page, mailbox }) => {
  const work = new MouseWork(page);
  const open = (name: string) => page.getByRole('button', { name, exact: true });

  await work.click(page.getByLabel('Email ID'));
  await work.type(MEMBER.email);
  await work.click(page.getByLabel('Password', { exact: true }));
  await work.type(PASSWORD);
  await work.click(page.getByRole('button', { name: 'Sign In' }));

  const sidebar = page.getByRole('navigation', { name: 'Main' });
  await work.click(sidebar.getByRole('link', { name: /^New Orders/ }));
  await work.click(page.getByRole('searchbox', { name: 'Search this folder' }));
  await work.type('okonkwo');
  await expect(loadedRows(page)).toHaveCount(1);
  await work.click(row(page, 'Okonkwo').getByRole('link', { name: /^View/ }));

  await work.click(actions(page).getByRole('button', { name: 'Assign to me' }));
  await work.click(page.getByRole('dialog').getByRole('button', { name: 'Yes, assign' }));
  await expectState(page, `Assigned to ${MEMBER.name}`);

  await expect(viewer(page).getByText('1 of 2')).toBeVisible();
  await work.click(open('Zoom in'));
  await work.click(open('Next document'));
  await work.click(open('Zoom in'));

  // Asked for early: the browser opens its own chooser until it knows that a test waits for it.
  const asked = page.waitForEvent('filechooser');
  await work.click(actions(page).getByRole('button', { name: 'Awaiting Govt' }));
  await expectAwaitingGovt(page);

  await work.click(fileControl(page));
  await (await asked).setFiles(visaOf('Wilhelmina Okonkwo'));
  await work.click(upload(page).getByRole('button', { name: 'Upload and email via AWS' }));
  await expectDelivered(page, mailbox);
  await expectState(page, /^Completed$/);

  await expectAtMostStated('mouse, now', work.effort);
});
