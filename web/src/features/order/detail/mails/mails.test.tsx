import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { openOrder } from '@/testing/openOrder';
import { sentMail } from '@/testing/orderDetails';
import { get, post, put, refusal, server, success } from '@/testing/server';

const RESEND = '/api/admin/resend-mail';
const SEND_DOWNLOAD = '/api/admin/send-download-mail';
const CONTENT = '/api/admin/get-email-content/:orderId';

const mails = () => within(screen.getByRole('region', { name: 'Emails' }));
const recipient = () => mails().getByLabelText('Email');
const resendForm = () => within(screen.getByRole('form', { name: 'Resend email' }));
const downloadForm = () => within(screen.getByRole('form', { name: 'Send the download link' }));

/** Serves posts. Returns the sent bodies. */
function take(path: string, message: string): unknown[] {
  const sent: unknown[] = [];
  server.use(
    post(path, async ({ request }) => {
      sent.push(await request.json());
      return success({}, message);
    }),
  );
  return sent;
}

test.each([
  ['Resend via AWS', 'AWS'],
  ['Resend via Sendgrid', 'Sendgrid'],
])('%s sends the mail again to the address of the field', async (button, provider) => {
  const sent = take(RESEND, 'The mail is queued for ann@post.example');
  const user = await openOrder();
  const email = recipient();
  expect(email).toHaveValue('emily.clarke@post.example');
  await user.clear(email);
  await user.type(email, ' ann@post.example');
  expect(email).toHaveAccessibleDescription('This address is not part of the application.');
  await user.click(resendForm().getByRole('button', { name: button }));
  expect(await screen.findByText('The mail is queued for ann@post.example')).toBeVisible();
  expect(sent).toEqual([
    { orderId: 100234, email: 'ann@post.example', mailServiceProvider: provider },
  ]);
});

test('the buttons of a provider that is not set up are disabled, and the card says why', async () => {
  const sent = take(SEND_DOWNLOAD, 'Queued');
  const user = await openOrder({ mail_providers: ['Sendgrid'] });
  expect(resendForm().getByRole('button', { name: 'Resend via AWS' })).toBeDisabled();
  expect(mails().getByRole('button', { name: 'Upload and email via AWS' })).toBeDisabled();
  expect(resendForm().getByRole('button', { name: 'Resend via Sendgrid' })).toBeEnabled();
  expect(mails().getByText(/^AWS is not set up here/)).toBeVisible();
  await user.click(downloadForm().getByRole('button', { name: 'Sent Mail' }));
  expect(await screen.findByText('Queued')).toBeVisible();
  expect(sent).toEqual([{ orderId: 100234, email: 'emily.clarke@post.example' }]);
});

test('Sent Mail sends the download link, once the address is valid', async () => {
  const sent = take(SEND_DOWNLOAD, 'Queued');
  const user = await openOrder();
  const email = recipient();
  const button = downloadForm().getByRole('button', { name: 'Sent Mail' });
  await user.clear(email);
  await user.click(button);
  expect(await screen.findByText('Please enter your email')).toBeVisible();
  await user.type(email, 'emily');
  expect(await screen.findByText('Invalid email address')).toBeVisible();
  await user.type(email, '@post.example');
  await user.click(button);
  expect(await screen.findByText('Queued')).toBeVisible();
  expect(sent).toEqual([{ orderId: 100234, email: 'emily@post.example' }]);
});

test('one recipient serves every mail of the order, and is the only email field', async () => {
  const resent = take(RESEND, 'Resent');
  const linked = take(SEND_DOWNLOAD, 'Linked');
  const user = await openOrder({ user: { email: 'account@post.example' } });
  expect(screen.getAllByLabelText('Email')).toHaveLength(1);
  await user.clear(recipient());
  await user.type(recipient(), 'account@post.example');
  expect(recipient()).toHaveAccessibleDescription('All emails below go to this address.');
  await user.click(resendForm().getByRole('button', { name: 'Resend via Sendgrid' }));
  expect(await screen.findByText('Resent')).toBeVisible();
  await user.click(downloadForm().getByRole('button', { name: 'Sent Mail' }));
  expect(await screen.findByText('Linked')).toBeVisible();
  const email = 'account@post.example';
  expect(resent).toEqual([{ orderId: 100234, email, mailServiceProvider: 'Sendgrid' }]);
  expect(linked).toEqual([{ orderId: 100234, email }]);
});

test('without a valid recipient nothing is sent, and the field has the focus', async () => {
  const resent = take(RESEND, 'Resent');
  const user = await openOrder();
  await user.clear(recipient());
  await user.type(recipient(), 'emily');
  await user.click(resendForm().getByRole('button', { name: 'Resend via AWS' }));
  expect(await screen.findByText('Invalid email address')).toBeVisible();
  await waitFor(() => expect(recipient()).toHaveFocus());
  expect(resent).toEqual([]);
});

test('a refusal is shown, and the address stays', async () => {
  server.use(post(RESEND, () => refusal(429, 'This order was mailed 5 times within an hour')));
  const user = await openOrder();
  await user.click(resendForm().getByRole('button', { name: 'Resend via AWS' }));
  expect(await screen.findByText('This order was mailed 5 times within an hour')).toBeVisible();
  expect(recipient()).toHaveValue('emily.clarke@post.example');
});

test('a mail shows its state, and its attempts on demand', async () => {
  const user = await openOrder({
    mailHistory: [
      sentMail({
        state: 'unknown',
        attempts: [
          {
            at: '2026-11-20T02:01:08Z',
            ended_at: '2026-11-20T02:01:38Z',
            outcome: 'unknown',
            answer: 'The connection broke after DATA',
          },
        ],
      }),
    ],
  });
  const history = within(screen.getByRole('table', { name: 'Email History' }));
  expect(history.getByText('Unknown')).toBeVisible();
  expect(history.getByText(/Ask the customer, or send it again/)).toBeVisible();
  expect(history.getByText('The connection broke after DATA')).not.toBeVisible();
  await user.click(history.getByRole('button', { name: 'More about email 1' }));
  expect(history.getByText('The connection broke after DATA')).toBeVisible();
  expect(history.getByText('Your visa is ready')).toBeVisible();
  await user.click(history.getByRole('button', { name: 'Less about email 1' }));
  expect(history.getByText('Your visa is ready')).not.toBeVisible();
});

test('the order is polled while a mail is queued', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-11-20T02:01:08Z') });
  let asked = 0;
  await openOrder(() => {
    asked += 1;
    return { mailHistory: [sentMail({ state: asked < 3 ? 'queued' : 'sent' })] };
  });
  expect(screen.getByText('Queued')).toBeVisible();
  await vi.advanceTimersByTimeAsync(2_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await screen.findByText('Sent')).toBeVisible();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toBe(3);
  vi.useRealTimers();
});

const content = {
  mail_id: null,
  subject: 'Your visa is ready',
  email: 'emily.clarke@post.example',
  sent_at: null,
  state: null,
  link: 'uploads/mails/100234.html?e=1763606467&s=signature',
  whatsapp_text: 'Dear Emily, your visa & more',
  whatsapp_number: '447700904411',
};

test('the content of the mail is framed, and a WhatsApp message is offered to be logged', async () => {
  server.use(get(CONTENT, () => success({ data: content })));
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'View Email Content' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Email Content' }));
  const frame = await dialog.findByTitle('The email “Your visa is ready”');
  expect(frame).toHaveAttribute('src', `${location.origin}/${content.link}`);
  expect(frame).toHaveAttribute('sandbox', '');
  expect(dialog.getByText('Not sent yet. This is a preview.')).toBeVisible();
  const whatsapp = dialog.getByRole('link', { name: 'Send Whatsapp Message' });
  expect(whatsapp).toHaveAttribute(
    'href',
    'https://wa.me/447700904411?text=Dear%20Emily%2C%20your%20visa%20%26%20more',
  );
  expect(whatsapp).toHaveAttribute('rel', 'noopener noreferrer');
  whatsapp.addEventListener('click', (event) => event.preventDefault());
  await user.click(whatsapp);
  await user.click(await dialog.findByRole('button', { name: 'Log as comment' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('checkbox', { name: 'Whatsapp' })).toBeChecked();
  const remark = screen.getByRole('textbox', { name: 'Add Comment Below' });
  expect(remark).toHaveValue('Wrote to the customer by WhatsApp.');
  await waitFor(() => expect(remark).toHaveFocus());
});

test('without a number there is no WhatsApp message', async () => {
  server.use(get(CONTENT, () => success({ data: { ...content, whatsapp_number: null } })));
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'View Email Content' }));
  await screen.findByTitle('The email “Your visa is ready”');
  expect(screen.getByRole('button', { name: 'Send Whatsapp Message' })).toBeDisabled();
});

test('the links in sent mails are revoked after a question', async () => {
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/revoke-mailed-links', async ({ request }) => {
      sent.push(await request.json());
      return success({}, '2 links no longer open this order');
    }),
  );
  const user = await openOrder();
  await user.click(screen.getByRole('button', { name: 'Revoke emailed links' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Revoke emailed links' }));
  await user.click(screen.getByRole('button', { name: 'Yes, revoke' }));
  expect(await screen.findByText('2 links no longer open this order')).toBeVisible();
  expect(sent).toEqual([{ orderId: 100234 }]);
});
