/** Actions and checks that the tests of all staff screens share. */

import { type Locator, type Page, expect } from '@playwright/test';

/** The row of an order in the list on the screen. */
export function row(page: Page, name: string | RegExp): Locator {
  return page.getByRole('row').filter({ hasText: name });
}

/** The rows of the list on the screen that have their order. Rows that still load have no link. */
export function loadedRows(page: Page): Locator {
  const view = page.getByRole('link', { name: /^View/ });
  return page.getByRole('row').filter({ has: view });
}

/** Opens a folder from the sidebar and waits for it: earlier input would go to the screen being left. */
export async function openFolder(page: Page, name: string): Promise<void> {
  const link = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${name}`) });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'page');
}

/** Ticks the rows of the named orders. */
export async function select(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) {
    await row(page, name).getByRole('checkbox').check();
  }
}

/** Confirms the open dialog, which must ask this question. */
export async function confirm(page: Page, question: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(question);
  await dialog.getByRole('button', { name: /^Yes/ }).click();
  await expect(dialog).toBeHidden();
}

/** Waits for a toast with this text: `status` for success, `alert` for an error. */
export async function expectToast(
  page: Page,
  role: 'status' | 'alert',
  text: string | RegExp,
): Promise<Locator> {
  const toast = page.getByRole(role).filter({ hasText: text }).first();
  await expect(toast).toBeVisible();
  return toast;
}

/** Undoes the change that the toast with this text reports. Toasts of earlier changes offer it too. */
export async function undoChange(page: Page, text: string | RegExp): Promise<void> {
  const toast = await expectToast(page, 'status', text);
  await toast.getByRole('button', { name: 'Undo' }).click();
}

/** Searches the list on the screen and waits for the result. */
export async function search(page: Page, text: string, box = 'Search this folder'): Promise<void> {
  const answered = page.waitForResponse(
    (response) =>
      response.url().endsWith('/admin/search-order') &&
      (response.request().postDataJSON() as { searchVal: string }).searchVal === text,
  );
  await page.getByRole('searchbox', { name: box }).fill(text);
  await answered;
}

/** The count beside a link of the sidebar. */
export async function sidebarCount(page: Page, link: string): Promise<number> {
  const words = await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${link}`) })
    .innerText();
  return Number(words.slice(link.length).replaceAll(/\D/g, ''));
}

/** Opens an order from the list on the screen. */
export async function open(page: Page, name: string): Promise<void> {
  await row(page, name).getByRole('link', { name: /^View/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Order \d+/ })).toBeVisible();
}

/** Moves the focus to an element with the Tab key alone, as people without a pointer do. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(target).toBeFocused({ timeout: 10 });
  }).toPass({ intervals: [0], timeout: 20_000 });
}

/** The keys for a `YYYY-MM-DD` in a date field, which adds the dashes itself. */
export function typedDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${date}${month}${year}`;
}
