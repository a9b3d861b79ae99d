import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openOrder } from '@/testing/openOrder';
import { asked, download, linkTo, sentMail } from '@/testing/orderDetails';
import { member } from '@/testing/server';

const valueOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling;

test('histories show their times in the zones they name, and empty values', async () => {
  await openOrder({
    mailHistory: [
      sentMail({
        create_ts: '2026-11-20T02:01:07Z',
        state: 'failed',
        failure: '550 The mailbox does not exist',
        uploadDoc: {
          file1: 'abc.pdf',
          link: linkTo('abc.pdf'),
          mail_service_provider: 'Sendgrid',
        },
      }),
      sentMail({
        id: 2,
        create_ts: '2026-11-20T03:00:07Z',
        uploadDoc: {
          file1: 'newer.pdf',
          link: linkTo('newer.pdf'),
          mail_service_provider: 'AWS',
        },
      }),
    ],
    uploadDoc: [
      {
        file1: 'abc.pdf',
        link: linkTo('abc.pdf'),
        customer_name: 'e-visa.pdf',
        create_ts: '2026-11-20T02:00:00Z',
        is_withdrawn: false,
      },
      {
        file1: 'newer.pdf',
        link: linkTo('newer.pdf'),
        customer_name: 'corrected.pdf',
        create_ts: '2026-11-20T03:00:00Z',
        is_withdrawn: false,
      },
    ],
    downloadHistory: [download({ ip: '::ffff:203.0.113.9' })],
  });
  const mails = within(screen.getByRole('table', { name: 'Email History' }));
  expect(mails.getByText(/11\/20\/2026 2:01:07/)).toHaveTextContent('UTC');
  for (const [name, file1] of [
    ['e-visa.pdf', 'abc.pdf'],
    ['corrected.pdf', 'newer.pdf'],
  ] as const) {
    const link = mails.getByRole('link', { name });
    expect(link).toHaveAttribute('href', `${location.origin}/${linkTo(file1)}`);
  }
  expect(mails.getByText('550 The mailbox does not exist')).toBeVisible();
  const downloads = within(screen.getByRole('table', { name: 'Download History' }));
  expect(downloads.getByText(/06\/30\/2026 22:00:00/)).toHaveTextContent('EST');
  expect(downloads.getByText('203.0.113.9')).toBeVisible();
  const source = screen.getByRole('link', { name: 'IP Geolocation by DB-IP' });
  expect(source).toHaveAttribute('href', 'https://db-ip.com');
  expect(source.parentElement).toHaveTextContent('as of 01-11-2026');
  expect(screen.getByText('No record found')).toBeVisible();
});

test('each comment can be read, hidden and shown again, and the newest is beside the field of the next', async () => {
  const user = await openOrder({
    remark: [
      {
        id: 7,
        order_id: 100234,
        us_date: '11/19/2026',
        us_time: '21:12:40',
        remark_name: 'Budi',
        remark: 'Called, no answer.',
        whatsapp: '',
        telephone: 'Y',
        status_refund: '',
        voided: '',
        chargeback: '',
        report_error: '',
      },
    ],
  });
  const history = within(screen.getByRole('region', { name: 'Comment History' }));
  expect(history.getByText('Called, no answer.')).toBeVisible();
  expect(valueOf('Telephone')).toHaveTextContent('Y');
  expect(valueOf('ReportError')).toHaveTextContent('N');
  await user.click(history.getByRole('button', { name: 'Hide comment 1' }));
  expect(history.getByText('Called, no answer.')).not.toBeVisible();
  await user.click(history.getByRole('button', { name: 'Show comment 1' }));
  expect(history.getByText('Called, no answer.')).toBeVisible();

  const form = within(screen.getByRole('form', { name: 'Add Comment Below' }));
  const newest = form.getByRole('region', { name: 'Newest comment' });
  expect(newest).toHaveTextContent('Budi, 11/19/2026 21:12:40 EST · TelephoneCalled, no answer.');
});

test('histories, checkout evidence and documents of some cases are folded with their counts, and views keep them open', async () => {
  const user = await openOrder(
    {
      mailHistory: [sentMail({ id: 1 }), sentMail({ id: 2 })],
      mailTotal: 2,
      checkout: { purchase_ip: '203.0.113.7' },
      required_documents: [
        {
          ...asked('guarantee_from_parents', false),
          required: false,
          when: 'the applicant is a minor',
        },
      ],
    },
    member(),
    [],
  );
  const headings = ['Comment History', 'Email History', 'Download History', 'Timeline'];
  for (const name of [...headings, 'Checkout Evidence', 'Needed only in some cases']) {
    expect(screen.getByRole('heading', { name })).toBeVisible();
    const fold = screen.getByRole('button', { name });
    expect(fold).toHaveAttribute('aria-expanded', 'false');
  }
  expect(screen.getByText('203.0.113.7')).not.toBeVisible();
  expect(screen.getByText('Needed when: the applicant is a minor')).not.toBeVisible();
  expect(screen.queryByRole('table', { name: 'Email History' })).toBeNull();
  expect(screen.getByRole('region', { name: 'Email History' })).toHaveTextContent(
    /^Email History2/,
  );
  await user.click(screen.getByRole('button', { name: 'Email History' }));
  expect(screen.getByRole('table', { name: 'Email History' })).toBeVisible();
  await user.click(screen.getByRole('link', { name: /^Filing/ }));
  await user.click(screen.getByRole('link', { name: 'Order' }));
  expect(screen.getByRole('table', { name: 'Email History' })).toBeVisible();
});
