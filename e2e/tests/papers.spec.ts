import type { Locator, Page } from '@playwright/test';

import { passportLines, pdf, TYPED_WRONG } from '../support/papers.ts';
import { portrait } from '../support/portraits.ts';
import { open } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { expectNoLayoutShift, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Team' });

const card = (page: Page): Locator => page.getByRole('region', { name: 'Passport check' });

/** Shows all of the result, of which the card says two lines. */
async function show(page: Page): Promise<void> {
  await card(page).locator('summary').focus();
  await page.keyboard.press('Enter');
}

const TYPED = { ...TYPED_WRONG, external_reference: 'PASSPORT-1' };

test('a passport is checked by itself, and one key says that a finding was looked at', async ({
  page,
  server,
}) => {
  // A K and the filler give the same check digit.
  await server.importOrders([{ ...TYPED, document_number: 'PK1204417' }]);
  const lines = passportLines().map((line) =>
    line.replace('PB12044175', 'PK12044172').replace(/(?<=^PK.*)00$/, '06'),
  );
  await server.addFiles(TYPED.external_reference, [
    ['passport_picture', pdf(lines.join(') Tj 0 -30 Td ('))],
  ]);
  await page.goto('/admin/recent-order');
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Passport differs')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await open(page, 'Emilie Rose Clarke');
  await expect(card(page)).toContainText('1 differs');
  await show(page);
  const given = card(page)
    .getByRole('row', { name: /^Given names/ })
    .first();
  await expect(given).toContainText('Emilie Rose');
  await expect(given).toContainText('EMILY ROSE');
  await expect(given).toContainText('differs');
  await expect(
    card(page).getByText('K and < are easily confused here. Compare with the passport.'),
  ).toBeVisible();
  await inspectState(page, 'papers');

  const keep = card(page).getByRole('button', { name: 'Given names: Keep as typed' });
  await keep.focus();
  await page.keyboard.press('Enter');
  await expect(given).toContainText('kept as typed');
  await expect(page.getByText('Check reviewed')).toBeVisible();
  await page.goto('/admin/recent-order');
  await expect(page.getByText('Emilie Rose Clarke')).toBeVisible();
  await expect(page.getByText('Passport differs')).toBeHidden();
});

test('results of checks that come late move nothing at any width', async ({ page, server }) => {
  const portraitFile = (await portrait(page, 240, 360)).buffer;
  for (const width of [1440, 900, 390]) {
    const reference = `LATE-${width}`;
    await server.importOrders([{ ...TYPED, external_reference: reference }]);
    await server.addFiles(reference, [
      ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
      ['upload_picture', portraitFile],
    ]);
    await page.goto('/admin/recent-order');
    await open(page, `${reference.toLowerCase()}@traveller.example`);
    const measured = Promise.withResolvers<void>();
    await page.route('**/order-papers/*', async (route) => {
      await measured.promise;
      await route.continue();
    });
    await page.setViewportSize({ width, height: 760 });
    await page.reload();
    if (width < 1216) await page.getByRole('tab', { name: 'Data' }).click();
    const below = page.getByRole('heading', { name: 'Order Details' });
    await expect(below).toBeVisible();
    const top = (await below.boundingBox())?.y;
    measured.resolve();
    await expect(page.getByText('Being checked…')).toHaveCount(0, { timeout: 90_000 });
    await expect(card(page)).toContainText('1 differs');
    await expect(page.getByRole('region', { name: 'Photo check' })).toContainText('not allowed');
    expect((await below.boundingBox())?.y, `at ${width} px`).toBe(top);
    await expectNoLayoutShift(page);
    await page.unrouteAll();
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

test('the passport is beside what was read from it, with its lines whole and all files in view', async ({
  page,
  server,
}) => {
  await server.importOrders([TYPED]);
  await page.goto('/admin/recent-order');
  await server.addFiles(TYPED.external_reference, [
    ['passport_picture', pdf('an earlier scan')],
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
    ['upload_picture', (await portrait(page, 240, 360)).buffer],
    ['bank_statement', pdf('bank_statement')],
    ['guarantor_letter', pdf('guarantor_letter')],
  ]);
  await open(page, 'Emilie Rose Clarke');
  const viewer = page.getByRole('region', { name: 'Documents', exact: true });
  const files = viewer.getByRole('list', { name: 'All documents' }).getByRole('button');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(files).toHaveCount(5);
  await viewer.evaluate((it) => it.scrollIntoView({ block: 'start' }));
  for (const file of await files.all()) await expect(file).toBeInViewport({ ratio: 1 });

  await page.goto(`${page.url().split('?')[0]}?view=papers`);
  const read = page.locator('pre');
  await expect(read).toBeVisible({ timeout: 90_000 });
  for (const width of [1440, 1366, 1216, 1024, 992, 768]) {
    await page.setViewportSize({ width, height: 768 });
    const [shown, lines] = [(await viewer.boundingBox())!, (await read.boundingBox())!];
    expect(shown.x + shown.width, `at ${width} px`).toBeLessThanOrEqual(lines.x);
    expect(Math.abs(shown.y - lines.y), `at ${width} px`).toBeLessThan(400);
    const hidden = await read.evaluate((it) => it.scrollWidth - it.clientWidth);
    expect(hidden, `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

/** What the Tab key reaches that lies half behind the bar of what to ask for, or more. */
async function focusedBehindTheBar(page: Page): Promise<string[]> {
  const behind: string[] = [];
  const bar = page.getByRole('region', { name: 'Request documents' });
  const ask = bar.getByRole('button', { name: /^Request/ });
  await page.getByRole('navigation', { name: 'Documents' }).getByRole('button').first().focus();
  for (let stops = 0; stops < 60; stops += 1) {
    if (await ask.evaluate((button) => button === document.activeElement)) return behind;
    const covered = await bar.evaluate((section) => {
      const focused = document.activeElement!;
      if (section.contains(focused)) return null;
      const { top, height } = focused.getBoundingClientRect();
      const isBehind = top + height / 2 > section.getBoundingClientRect().top;
      return isBehind ? (focused.textContent ?? focused.tagName) : null;
    });
    if (covered !== null) behind.push(covered);
    await page.keyboard.press('Tab');
  }
  throw new Error('the Tab key does not reach the button that asks');
}

test('the bar of what to ask for is low, and covers nothing that has the focus', async ({
  page,
  server,
}) => {
  await server.importOrders([TYPED]);
  await page.goto('/admin/recent-order');
  const others = ['bank_statement', 'guarantor_letter', 'return_onward_ticket', 're_entry_permit'];
  await server.addFiles(TYPED.external_reference, [
    ['passport_picture', pdf(passportLines().join(') Tj 0 -30 Td ('))],
    ['upload_picture', (await portrait(page, 240, 360)).buffer],
    ...others.map((kind): [string, Buffer] => [kind, pdf(kind)]),
  ]);
  await open(page, 'Emilie Rose Clarke');
  await expect(page.getByText('1 not allowed')).toBeVisible({ timeout: 90_000 });
  await page
    .getByRole('navigation', { name: 'Views of the order' })
    .getByRole('link', { name: 'Documents' })
    .click();
  const bar = page.getByRole('region', { name: 'Request documents' });
  const papers = page.getByRole('navigation', { name: 'Documents' });
  await expect(bar).toContainText('Nothing to request: every document is received or accepted.');
  for (const one of await papers.getByRole('button').all()) {
    await one.click();
    await page.getByRole('button', { name: 'Wrong', exact: true }).click();
    await expect(one).toContainText('wrong');
  }
  await expect(bar.getByRole('checkbox', { checked: true })).toHaveCount(6);
  for (const width of [1440, 900]) {
    await page.setViewportSize({ width, height: 760 });
    expect((await bar.boundingBox())?.height, `at ${width} px`).toBeLessThanOrEqual(112);
    expect(await focusedBehindTheBar(page), `at ${width} px`).toEqual([]);
  }
});
