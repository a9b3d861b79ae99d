import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { CannedText } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { openOrder } from '@/testing/openOrder';
import { get, member, put, server, signedInAs, success } from '@/testing/server';

const CALLED: CannedText = {
  id: 1,
  purpose: 'comment',
  title: 'No answer',
  texts: { en: 'Called {name}, no answer.' },
  shared: false,
};
const ARRIVAL: CannedText = {
  id: 2,
  purpose: 'whatsapp',
  title: 'Before arrival',
  texts: {
    en: 'Dear {name}, order {order} is ready. You arrive on {arrival}.',
    de: 'Guten Tag {name}, Ankunft am {arrival}.',
  },
  shared: true,
};

/** Serves both texts, and keeps what is sent. */
function texts(may_share = false): unknown[] {
  const sent: unknown[] = [];
  const keep = async ({ request }: { request: Request }) => {
    sent.push(await request.json());
    return success({}, 'The text has been saved');
  };
  server.use(
    get('/api/admin/canned-texts', () =>
      success({ data: { texts: [CALLED, ARRIVAL], may_share } }),
    ),
    put('/api/admin/canned-text', keep),
    put('/api/admin/delete-canned-text', keep),
  );
  return sent;
}

const dialog = () => within(screen.getByRole('dialog'));

test('a member adds a text, and changes and deletes their own but not those of all', async () => {
  signedInAs(member());
  const sent = texts();
  const user = await openApp('/admin/canned-texts');
  await screen.findByRole('row', { name: /Before arrival/ });
  expect(screen.queryByRole('button', { name: 'Change: Before arrival' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Add a text' }));
  expect(dialog().queryByLabelText('Deutsch')).toBeNull();
  expect(dialog().queryByLabelText('Everybody has this text')).toBeNull();
  await user.type(dialog().getByLabelText('English'), 'Waits for the bank.');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please give the text a name')).toBeVisible();
  await user.type(dialog().getByLabelText('Name'), 'Bank');
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The text has been saved')).toBeVisible();
  expect(sent.at(-1)).toEqual({
    id: null,
    purpose: 'comment',
    title: 'Bank',
    texts: { en: 'Waits for the bank.' },
    shared: false,
  });
  await user.click(screen.getByRole('button', { name: 'Delete: No answer' }));
  expect(dialog().getByText('Only you have this text.')).toBeVisible();
  await user.click(dialog().getByRole('button', { name: 'Yes, delete' }));
  await expect.poll(() => sent.at(-1)).toEqual({ id: 1 });
});

test('a Manager writes a message of all in several languages', async () => {
  signedInAs(member());
  const sent = texts(true);
  const user = await openApp('/admin/canned-texts');
  await user.click(await screen.findByRole('button', { name: 'Add a text' }));
  await user.selectOptions(dialog().getByLabelText('Used in'), 'WhatsApp');
  await user.type(dialog().getByLabelText('Name'), 'Hello');
  await user.type(dialog().getByLabelText('English'), 'Hello');
  await user.type(dialog().getByLabelText('Deutsch'), 'Hallo');
  await user.click(dialog().getByLabelText('Everybody has this text'));
  await user.click(dialog().getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => sent.at(-1))
    .toEqual({
      id: null,
      purpose: 'whatsapp',
      title: 'Hello',
      texts: { en: 'Hello', de: 'Hallo' },
      shared: true,
    });
});

test('a text is inserted into the comment with the values of the order', async () => {
  texts();
  const user = await openOrder();
  const remark = screen.getByRole('textbox', { name: 'Add Comment Below' });
  await user.type(remark, 'In the morning:');
  await user.click(screen.getByRole('button', { name: 'Insert text' }));
  expect(screen.queryByRole('menuitem', { name: 'Before arrival' })).toBeNull();
  await user.click(await screen.findByRole('menuitem', { name: 'No answer' }));
  expect(remark).toHaveValue('In the morning:\nCalled Emily Rose Clarke, no answer.');
  await expect.poll(() => document.activeElement).toBe(remark);
});

test('a WhatsApp message is in the language of the applicant, can be edited, and is logged', async () => {
  texts();
  const user = await openOrder({ language: 'de', arrival_date: '2026-12-24' });
  await user.click(screen.getByRole('button', { name: 'WhatsApp' }));
  const message = dialog().getByLabelText('Message');
  await user.selectOptions(await dialog().findByLabelText('Canned text'), 'Before arrival');
  expect(message).toHaveValue('Guten Tag Emily Rose Clarke, Ankunft am 24. Dezember 2026.');
  await user.selectOptions(dialog().getByLabelText('Language'), 'English');
  expect(message).toHaveValue(
    'Dear Emily Rose Clarke, order VD-100234 is ready. You arrive on December 24, 2026.',
  );
  await user.type(message, ' Bye');
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'WhatsApp' }));
  expect(dialog().getByLabelText('Message')).toHaveValue(
    'Dear Emily Rose Clarke, order VD-100234 is ready. You arrive on December 24, 2026. Bye',
  );
  const send = dialog().getByRole('link', { name: 'Send Whatsapp Message' });
  expect(send).toHaveAttribute('href', expect.stringContaining('wa.me/447700904411?text=Dear'));
  await user.click(send);
  await user.click(dialog().getByRole('button', { name: 'Log as comment' }));
  expect(screen.getByRole('textbox', { name: 'Add Comment Below' })).toHaveValue(
    'Wrote to the customer by WhatsApp.',
  );
});
