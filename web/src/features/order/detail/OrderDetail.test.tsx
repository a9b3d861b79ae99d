import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openOrder } from '@/testing/openOrder';
import { detailsOf, download, linkTo, sentMail, storedFile } from '@/testing/orderDetails';

/** The section under a heading. */
const section = (title: string) =>
  within(screen.getByRole('heading', { level: 2, name: title }).closest('section')!);

/** The label and the value of each field of a section. */
const factsOf = (title: string) =>
  Object.fromEntries(
    section(title)
      .getAllByRole('term')
      .map((term) => [
        term.textContent,
        term.nextElementSibling?.textContent?.replaceAll(/\s+/g, ' ').trim(),
      ]),
  );

const TOURISM = detailsOf(100234).issued_type!;

test('a retired visa type is shown with the type that replaced it', async () => {
  const issued_type = { ...TOURISM, code: 'A1', label: 'Visa Exemption - Tourism' };
  await openOrder({ visa_type: 'A2', issued_type });
  expect(factsOf('Visa Type Information')['Visa Type']).toBe(
    'A2 · no longer issued, now A1 · Visa Exemption - Tourism',
  );
});

test('an unknown visa type is shown as it is, with a note that its documents are not known', async () => {
  await openOrder({ visa_type: 'Z9', issued_type: null });
  expect(factsOf('Visa Type Information')['Visa Type']).toBe('Z9');
  expect(screen.getByText(/^The catalogue has no visa type Z9/)).toBeVisible();
});

test('when to apply is shown with its source, from a day on if the arrival is known', async () => {
  const window = { days_before_arrival: 90, source: 'A newspaper', as_of: '2022-12-14' };
  const issued_type = { ...TOURISM, stay_days: null, unlimited_stay: true, window };
  await openOrder({ issued_type: { ...issued_type, first_day: '2026-12-31' } });
  expect(factsOf('Visa Type Information')).toMatchObject({
    'Allowed Stay': 'Without end, single entry',
    'When to Apply':
      'From 31-12-2026 on, 90 days before arrival at the earliestThe latest day is not known. Source: A newspaper, 14-12-2022.',
  });
});

const headsOf = (title: string) =>
  within(screen.getByRole('table', { name: title }))
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);

test('each section shows its fields under their labels', async () => {
  await openOrder({
    passport_from: 'Australia',
    main_purpose_of_visit: 'General',
    sub_purpose_of_visit: 'Tourism',
    sex: 'Female',
    place_of_birth: 'Perth',
    document_type: 'Passport',
    document_number: 'PA7654321',
    nationality: 'British',
    date_of_expiry: '2031-02-28',
    issuing_place: 'London',
    residence_type: 'Hotel',
    address: 'Jl. Monkey Forest 7',
    postal_code: '80571',
    province: 'Bali',
    city: 'Gianyar',
    district: 'Ubud',
    village: 'Padangtegal',
    immigration_office: 'Denpasar',
    signature_name: 'E. R. Clarke',
  });
  expect(factsOf('Order Details')).toEqual({
    'Order Id': '100234',
    'Application Email Address': '100234@applications.example',
    'Contact Email': 'emily.clarke@post.example',
    'Processing Mode': 'Standard Processing',
    'Signature Name': 'E. R. Clarke',
  });
  await waitFor(() =>
    expect(factsOf('Visa Type Information')).toEqual({
      'Passport Country': 'Australia',
      'Main Purpose of Visit': 'General',
      'Sub Purpose': 'Tourism',
      'Visa Type': 'C1 · Tourism Visit, Single Entry',
      'Allowed Stay': '60 days, single entry',
      'When to Apply': 'No rule on record',
      'Planned Stay': '60 days',
    }),
  );
  expect(factsOf('Personal and Contact Information')).toEqual({
    'Full Name': 'Emily Rose Clarke',
    Sex: 'Female',
    'Place of Birth': 'Perth',
    'Date of Birth': '12-04-1990',
    Email: 'emily.clarke@post.example',
    Phone: '+44 7700 904411WhatsApp',
  });
  expect(factsOf('Document Information')).toEqual({
    'Document Type': 'Passport',
    'Document Number': 'PA7654321',
    Nationality: 'British',
    'Date of Expiry': '28-02-2031',
    'Issuing Place': 'London',
  });
  expect(factsOf('Address in Indonesia')).toEqual({
    'Residence Type': 'Hotel',
    Address: 'Jl. Monkey Forest 7',
    'Postal Code': '80571',
    Province: 'Bali',
    City: 'Gianyar',
    District: 'Ubud',
    Village: 'Padangtegal',
    'Immigration Office': 'Denpasar',
  });
});

test('an expired document is marked when the server says so', async () => {
  await openOrder({ date_of_expiry: '2020-01-01', document_expired: true });
  expect(section('Document Information').getByText('Expired')).toBeVisible();
});

test('the browser does not decide about expiry', async () => {
  await openOrder({ date_of_expiry: '2020-01-01', document_expired: false });
  expect(section('Document Information').queryByText('Expired')).toBeNull();
});

test('a warning of the visa stands at its field with its source', async () => {
  const text = 'Apply from 31-12-2026 on.';
  await openOrder({
    arrival_date: '2027-03-31',
    visa_warnings: [{ code: 'too_early', text, source: 'A newspaper', as_of: '2022-12-14' }],
  });
  const arrival = section('Visa Type Information').getByText('Arrival Date').parentElement;
  expect(arrival).toHaveTextContent('31-03-2027');
  expect(arrival).toHaveTextContent(`Too early${text} Source: A newspaper, 14-12-2022.`);
});

test('the travel document and the photo are links', async () => {
  const photo = storedFile('upload_picture', { file1: 'photo.jpg' });
  await openOrder({ documents: [storedFile('passport_picture'), photo] });
  const links = section('Applicant And Passport Image').getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Travel document', `${location.origin}/${linkTo('passport_picture.pdf')}`],
    ['Photo', `${location.origin}/${linkTo('photo.jpg')}`],
  ]);
});

test('each history has its columns', async () => {
  await openOrder({
    mailHistory: [sentMail()],
    downloadHistory: [download({ location_as_of: null })],
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
  expect(headsOf('Email History')).toEqual([
    '#',
    'Order Id',
    'Download Link',
    'Date and Time',
    'Mail Provider',
    'State',
  ]);
  expect(headsOf('Download History')).toEqual([
    '#',
    'Order Id',
    'Date and Time (EST)',
    'Downloaded File',
    'IP Address',
    'Location',
  ]);
  expect(headsOf('Comment History')).toEqual(['#', 'Order Id', 'Date', 'Team Member', 'Action']);
});

test('an empty history says so', async () => {
  await openOrder();
  for (const title of ['Email History', 'Download History', 'Comment History']) {
    const history = within(screen.getByRole('region', { name: title }));
    expect(history.getByText('No record found')).toBeVisible();
  }
});

test('downloads that the server left out are counted, and keep their numbers', async () => {
  await openOrder({ downloadHistory: [download(), download()], downloadTotal: 3000 });
  const history = within(screen.getByRole('region', { name: 'Download History' }));
  expect(history.getByText(/^The newest 2 of 3,000/)).toBeVisible();
  expect(history.getByRole('cell', { name: '2999' })).toBeVisible();
  expect(history.getByRole('cell', { name: '3000' })).toBeVisible();
});

test('failed tracking attempts are shown where there are some', async () => {
  const attempt = {
    hour: '2026-05-02T14:00:00Z',
    network: '203.0.113.77',
    location: 'Australia',
    tries: 3,
    last_at: '2026-05-02T14:37:12Z',
  };
  await openOrder({
    failed_tries: [attempt, { ...attempt, network: null, location: '-', tries: 40 }],
  });
  const attempts = within(screen.getByRole('region', { name: 'Failed Tracking Attempts' }));
  expect(attempts.getByRole('cell', { name: '203.0.113.77' })).toBeVisible();
  expect(attempts.getByRole('cell', { name: 'Other networks' })).toBeVisible();
  expect(attempts.getByRole('cell', { name: '40' })).toBeVisible();
});

test('an order without failed attempts has no list of failed attempts', async () => {
  await openOrder({});
  expect(screen.queryByRole('region', { name: 'Failed Tracking Attempts' })).toBeNull();
});
