import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PaperReason } from '@/api/types';
import { openApp } from '@/testing/openApp';
import { get, member, put, server, signedInAs, success } from '@/testing/server';

const BLURRED: PaperReason = {
  code: 'blurred',
  state: 'unreadable',
  kinds: [],
  texts: { en: 'The picture is not sharp.', de: 'Das Bild ist unscharf.' },
  is_built_in: true,
  is_own: false,
  is_archived: false,
};

/** Serves one reason, and keeps what is saved. */
function reasons(): unknown[] {
  const saved: unknown[] = [];
  server.use(
    get('/api/admin/paper-reasons', () => success({ data: { reasons: [BLURRED] } })),
    put('/api/admin/paper-reason', async ({ request }) => {
      saved.push(await request.json());
      return success({}, 'The reason has been saved');
    }),
  );
  return saved;
}

const english = () => within(screen.getByRole('dialog')).getByLabelText('English');

test('an Admin changes a reason, adds one, and takes one out of the offer', async () => {
  signedInAs(member());
  const saved = reasons();
  const user = await openApp('/admin/paper-reasons');
  const change = await screen.findByRole('button', { name: 'Change: The picture is not sharp.' });
  await user.click(change);
  await user.clear(english());
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Please write the reason in English')).toBeVisible();
  await user.type(english(), 'Not sharp.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The reason has been saved')).toBeVisible();
  expect(saved.at(-1)).toEqual({
    code: 'blurred',
    state: 'unreadable',
    kinds: [],
    texts: { en: 'Not sharp.', de: 'Das Bild ist unscharf.' },
    archived: false,
  });

  await user.click(screen.getByRole('button', { name: 'Add a reason' }));
  await user.selectOptions(screen.getByLabelText('The document is'), 'Wrong');
  await user.click(screen.getByLabelText('Passport'));
  await user.type(english(), 'A page is missing.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => saved).toHaveLength(2);
  expect(saved.at(-1)).toEqual({
    code: null,
    state: 'wrong',
    kinds: ['passport'],
    texts: { en: 'A page is missing.' },
    archived: false,
  });

  await user.click(change);
  await user.click(screen.getByRole('button', { name: 'No longer offer' }));
  await expect.poll(() => saved).toHaveLength(3);
  expect(saved.at(-1)).toMatchObject({ code: 'blurred', archived: true });
});

test('others are told who changes the reasons', async () => {
  signedInAs(member({}));
  reasons();
  await openApp('/admin/paper-reasons');
  expect(await screen.findByText(/Only Admins change the reasons/)).toBeVisible();
});
