/** Texts that members write once and use often. */

import { confirm, expectToast, open, search } from '../support/staffActions.ts';
import { expect, test } from '../support/test.ts';
import { inspect, inspectState } from '../support/visualChecks.ts';

test.use({ as: 'Manager' });

const SCREEN = '/admin/canned-texts';

test('a text is added, inserted into a comment, and sent in the language of the applicant', async ({
  page,
  server,
}) => {
  await server.importOrders([
    {
      external_reference: 'CANNED-1',
      full_name: 'Annemarie Wiedemann-Oberhollenzer',
      nationality: 'Germany',
    },
  ]);
  await page.goto(SCREEN);
  await inspect(page, 'canned-texts-empty');
  const dialog = page.getByRole('dialog');
  for (const [use, name, texts] of [
    ['comment', 'No answer', [['English', 'Called {name}, no answer.']]],
    [
      'whatsapp',
      'We could not reach you about the order, please call back',
      [
        ['English', 'Dear {name}, we tried to call you about order {order}.'],
        ['Deutsch', 'Guten Tag {name}, wir wollten Sie zu Auftrag {order} sprechen.'],
      ],
    ],
  ] as const) {
    await page.getByRole('button', { name: 'Add a text' }).click();
    await dialog.getByLabel('Used in').selectOption(use);
    await dialog.getByLabel('Name').fill(name);
    for (const [language, text] of texts) {
      await dialog.getByLabel(language, { exact: true }).fill(text);
    }
    await dialog.getByLabel('Everybody has this text').check();
    if (use === 'whatsapp') await inspectState(page, 'canned-text');
    await dialog.getByRole('button', { name: 'Save' }).press('Enter');
    await expectToast(page, 'status', 'The text has been saved');
    await expect(dialog).toBeHidden();
  }
  await inspectState(page, 'canned-texts');

  await page.goto('/admin/recent-order');
  await search(page, 'CANNED-1');
  await open(page, 'CANNED-1');
  await page.getByRole('button', { name: 'Insert text' }).press('Enter');
  await expect(page.getByRole('menu', { name: 'Canned texts' })).toBeVisible();
  await page.keyboard.press('Enter');
  const remark = page.getByRole('textbox', { name: 'Add Comment Below' });
  await expect(remark).toHaveValue('Called Annemarie Wiedemann-Oberhollenzer, no answer.');
  await expect(remark).toBeFocused();

  await page.getByRole('button', { name: 'WhatsApp' }).click();
  await dialog.getByLabel('Canned text').selectOption({ index: 1 });
  const message = dialog.getByLabel('Message');
  await expect(message).toHaveValue(
    /^Guten Tag Annemarie Wiedemann-Oberhollenzer, wir wollten Sie/,
  );
  await inspectState(page, 'whatsapp-text');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.goto(SCREEN);
  await page.getByRole('button', { name: 'Delete: No answer' }).press('Enter');
  await confirm(page, 'Everybody has this text.');
  await expectToast(page, 'status', 'The text has been deleted');
});
