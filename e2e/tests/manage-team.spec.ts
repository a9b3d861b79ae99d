import type { Locator, Page } from '@playwright/test';

import { confirm, expectToast, row, tabTo } from '../support/staffActions.ts';
import { inspect } from '../support/visualChecks.ts';
import { STAFF } from '../support/staff.ts';
import { expect, readingTest, test } from '../support/test.ts';

const SCREEN = '/admin/manage-team';
const NEW = { name: 'Dewi Anggraini', email: 'dewi@desk.example', password: 'another long one' };

const submit = (page: Page): Locator => page.getByRole('button', { name: 'Submit' });

async function fill(page: Page, type: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(NEW.name);
  await page.getByLabel('Password', { exact: true }).fill(NEW.password);
  await page.getByLabel('Email ID').fill(NEW.email);
  await page.getByLabel('Member Type').selectOption(type);
}

/** Whether this email and password sign in. */
async function signsIn(url: string, email: string, password: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/admin/admin-login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return answer.ok;
}

test.describe('an Admin', () => {
  test.use({ as: 'Admin' });

  test('adds, changes and deletes a member', async ({ page, server }) => {
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Manage Team' }).click();
    await expect(page).toHaveURL(SCREEN);
    await expect(page.getByRole('columnheader')).toHaveText([
      '#',
      'Name',
      'Email',
      'Password',
      'Type',
      'Action',
    ]);
    await fill(page, 'Team');
    await submit(page).click();
    await expectToast(page, 'status', 'Team member added successfully');
    await expect(row(page, NEW.name)).toContainText('********');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
    expect(await signsIn(server.url, NEW.email, NEW.password)).toBe(true);

    await page.getByRole('link', { name: `Edit ${NEW.name}` }).click();
    await expect(page).toHaveURL(/\/admin\/manage-team\/.+/);
    await expect(page.getByLabel('Email ID')).toHaveValue(NEW.email);
    await page.getByLabel('Member Type').selectOption('Telecaller');
    await submit(page).click();
    await expectToast(page, 'status', 'Team member updated successfully');
    await expect(page).toHaveURL(SCREEN);
    await expect(row(page, NEW.name)).toContainText('Telecaller');
    expect(await signsIn(server.url, NEW.email, NEW.password), 'the password stayed').toBe(true);

    await page.getByRole('button', { name: `Delete ${NEW.name}` }).click();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'status', 'Team member deleted successfully');
    await expect(row(page, NEW.name)).toHaveCount(0);
    expect(await signsIn(server.url, NEW.email, NEW.password)).toBe(false);
  });

  test('a missing field shows its error, and a refusal is shown in a toast', async ({ page }) => {
    await page.goto(SCREEN);
    await submit(page).click();
    for (const message of [
      'Please enter your name',
      'Please enter your password',
      'Please enter your email',
      'Please select type',
    ]) {
      await expect(page.getByText(message, { exact: true })).toBeVisible();
    }
    await fill(page, 'Team');
    await page.getByLabel('Email ID').fill(STAFF.Team.email);
    await submit(page).click();
    await expectToast(page, 'alert', 'A team member with this email already exists');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(NEW.name);

    await page.getByRole('button', { name: `Delete ${STAFF.Admin.name}` }).click();
    await confirm(page, 'Are you sure you want to delete?');
    await expectToast(page, 'alert', 'At least one Admin must remain');
    await expect(row(page, STAFF.Admin.name)).toHaveCount(1);
  });

  test('adds, opens and deletes a member with the keyboard alone', async ({ page }) => {
    await page.goto(SCREEN);
    await tabTo(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.type(NEW.name);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(NEW.password);
    await tabTo(page, page.getByLabel('Email ID'));
    await page.keyboard.type(NEW.email);
    await tabTo(page, page.getByLabel('Member Type'));
    await page.keyboard.type('Night');
    await page.keyboard.press('Enter');
    await tabTo(page, submit(page));
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'Team member added successfully');
    await expect(row(page, NEW.name)).toContainText('Night Staff');

    await tabTo(page, page.getByRole('link', { name: `Edit ${NEW.name}` }));
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Email ID')).toHaveValue(NEW.email);
    await tabTo(page, page.getByRole('link', { name: 'Cancel' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(SCREEN);

    await tabTo(page, page.getByRole('button', { name: `Delete ${NEW.name}` }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('Are you sure you want to delete?');
    await tabTo(page, page.getByRole('button', { name: /^Yes/ }));
    await page.keyboard.press('Enter');
    await expectToast(page, 'status', 'Team member deleted successfully');
    await expect(row(page, NEW.name)).toHaveCount(0);
  });

  readingTest('an invalid member link is reported and leads to the form', async ({ page }) => {
    await page.goto(`${SCREEN}/nobody-at-all`);
    await expect(page.getByText('This team member does not exist')).toBeVisible();
    await expect(submit(page)).toHaveCount(0);
    await inspect(page, 'no-such-member');
    await page.getByRole('button', { name: 'Add a team member' }).click();
    await expect(page).toHaveURL(SCREEN);
    await expect(submit(page)).toBeVisible();
  });

  test('sees a team that fits every width, with long names', async ({ page, server }) => {
    const long = {
      name: 'Raden Ajeng Siti Maria Magdalena Kusumawardhani Soerjadiningrat',
      email: 'siti.maria.magdalena.kusumawardhani.soerjadiningrat@correspondence.desk.example',
      password: NEW.password,
      type: 'Night Staff',
    };
    await server.call('Admin', 'POST', 'admin/add-team-member', long);
    await page.goto(SCREEN);
    await expect(row(page, long.name)).toContainText('Edit');
    await inspect(page, 'manage-team');
  });
});

test.describe('a Manager', () => {
  test.use({ as: 'Manager' });

  readingTest('changes other members, but no Admin', async ({ page }) => {
    await page.goto(SCREEN);
    await expect(page.getByRole('link', { name: `Edit ${STAFF.Team.name}` })).toBeVisible();
    await expect(page.getByRole('link', { name: `Edit ${STAFF.Admin.name}` })).toHaveCount(0);
    await expect(page.getByLabel('Member Type').getByText('Admin')).toHaveCount(0);
  });
});

test.describe('a Telecaller', () => {
  test.use({ as: 'Telecaller' });

  readingTest('has no link to Manage Team, and its URL shows why', async ({ page }) => {
    await page.goto('/admin');
    await expect(page.getByRole('link', { name: 'Change Password' })).toBeVisible();
    for (const name of ['Manage Team', 'Gateway Setting', 'Order Processed', 'Audit']) {
      await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
    }
    await page.goto(SCREEN);
    await expect(page.getByText('Telecaller staff may not do this').first()).toBeVisible();
  });
});
