import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OrderDetails } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { allowedOnDetail } from '@/testing/allowed';
import { closeApp, openApp } from '@/testing/openApp';
import { answerDetails, detailsOf } from '@/testing/orderDetails';
import { get, member, put, refusal, server, signedInAs, success } from '@/testing/server';

type User = Awaited<ReturnType<typeof openApp>>;

const REASON = {
  code: 'blurred',
  state: 'unreadable' as const,
  kinds: [],
  texts: { en: 'The picture is not sharp.' },
  is_built_in: true,
  is_own: false,
  is_archived: false,
};

const REQUEST = {
  approval_id: 31,
  state: 'Waiting' as const,
  requested_by: 'Budi Santoso',
  requested_at: '2026-11-20T02:41:07Z',
  expires_at: '2026-11-27T02:41:07Z',
  decided_by: null,
  decided_at: null,
  note: null,
  order_ids: [100234],
  changed_order_ids: [],
  sums: [],
  without_payment: 1,
  allowed: { decide: true, withdraw: false },
};

const FILED = {
  application_number: 'EV-1',
  fee: null,
  receipt_file1: null,
  filed_by: 'Budi',
  filed_at: '2026-11-20T00:20:31Z',
  outcome: null,
  reason: null,
  closed_by: null,
  closed_at: null,
  is_current: true,
};

const filing = (canFile: boolean) => ({
  sections: [],
  form_source: null,
  warnings: [],
  files: [],
  limits_as_of: '2026-11-21',
  filings: canFile ? [] : [FILED],
  fees: [],
  can_file: canFile,
  can_refuse: !canFile,
});

const order = paths.viewOrder(100234);
const press = (name: string) => async (user: User) =>
  user.click(await screen.findByRole('button', { name }));

/** A form with a text: where it is, how it is opened, and one of its fields. */
interface TypedForm {
  form: string;
  url: string;
  open?: (user: User) => Promise<void>;
  field: string;
  details?: Partial<OrderDetails>;
  canFile?: boolean;
}

const FORMS: TypedForm[] = [
  { form: 'order by phone', url: paths.newPhoneOrder, field: 'Full Name' },
  {
    form: 'correction',
    url: order,
    open: press('Correct: Address in Indonesia'),
    field: 'City',
    details: { city: 'Kuta' },
  },
  { form: 'comment', url: order, field: 'Add Comment Below' },
  { form: 'recipient', url: order, field: 'Email' },
  {
    form: 'reason in all languages',
    url: paths.paperReasons,
    open: press('Change: The picture is not sharp.'),
    field: 'Deutsch',
  },
  {
    form: 'approval note',
    url: paths.refundApprovals,
    open: press('Review the request of Budi Santoso, 1 order'),
    field: 'Note',
  },
  {
    form: 'refusal by the portal',
    url: `${order}?view=filing`,
    open: press('Record refusal'),
    field: 'Reason of the portal',
    canFile: false,
  },
  { form: 'answer of the portal', url: `${order}?view=filing`, field: 'Application number' },
  {
    form: 'refund mark',
    url: order,
    open: press('Take refund mark back'),
    field: 'Reason',
    details: { allowed: allowedOnDetail({ take_back_refund: true }) },
  },
  { form: 'new member', url: paths.manageTeam, field: 'Name' },
  { form: 'known member', url: `${paths.manageTeam}/2`, field: 'Name' },
  { form: 'API key', url: paths.apiKeys, field: 'Networks' },
];

/** Opens the form as it is after a reload, or after the next sign-in. */
async function openForm({ url, open, field, details, canFile = true }: TypedForm, me = member()) {
  signedInAs(me);
  answerDetails(() => detailsOf(100234, details));
  const budi = {
    id: 2,
    name: 'Budi',
    email: 'budi@desk.example',
    password: '********',
    type: 'Team' as const,
    second_factor: false,
    updated_at: '2026-11-20T02:00:00Z',
  };
  server.use(
    get('/api/admin/order-filing/:orderId', () => success({ data: filing(canFile) })),
    get('/api/admin/paper-reasons', () => success({ data: { reasons: [REASON] } })),
    get('/api/admin/refund-approvals', () =>
      success({ data: { waiting: 1, requests: [REQUEST] } }),
    ),
    get('/api/admin/get-team-member-list', () => success({ data: [budi] })),
    get('/api/admin/get-team-member-type', () => success({ data: ['Team' as const] })),
    get('/api/admin/team-member-info/:id', () => success({ data: budi })),
    get('/api/admin/api-keys', () => success({ data: [] })),
  );
  const user = await openApp(url);
  await open?.(user);
  const found = await screen.findByRole('textbox', { name: field });
  await waitFor(() => expect(found).not.toHaveAttribute('readonly'));
  return { user, field: found };
}

const TYPED = 'typed in full';
const note = () => screen.queryByText(/Restored what you had typed/);

test.each(FORMS)(
  'the form $form keeps its text through a reload, for its member alone',
  async (it) => {
    const { field } = await openForm(it);
    const before = (field as HTMLInputElement).value;
    fireEvent.change(field, { target: { value: TYPED } });
    expect(note()).toBeNull();

    closeApp();
    const { field: restored, user } = await openForm(it);
    expect(restored).toHaveValue(TYPED);
    expect(note()).toBeVisible();

    closeApp();
    const { field: others } = await openForm(it, { ...member(), id: 9 });
    expect(others).toHaveValue(before);
    expect(note()).toBeNull();

    closeApp();
    const { field: again } = await openForm(it);
    await user.click(within(note()!).getByRole('button', { name: 'Discard' }));
    expect(again).toHaveValue(before);
    expect(note()).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  },
);

test('a password is not stored, and is asked for again', async () => {
  const form = FORMS.find(({ form }) => form === 'new member')!;
  const { user } = await openForm(form);
  await user.type(screen.getByLabelText('Name'), 'Citra');
  await user.type(screen.getByLabelText('Password'), 'sunny-harbour');
  expect(JSON.stringify({ ...sessionStorage })).toContain('Citra');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('sunny-harbour');

  closeApp();
  await openForm(form);
  expect(screen.getByLabelText('Name')).toHaveValue('Citra');
  expect(screen.getByLabelText('Password')).toHaveValue('');
  expect(note()).toHaveTextContent('Enter the password again.');
});

test('Escape closes a dialog whose text is kept, and the saved one is forgotten', async () => {
  const form = FORMS.find(({ form }) => form === 'correction')!;
  server.use(put('/api/admin/correct-order', () => success({}, '1 field was corrected')));
  const { user, field } = await openForm(form);
  fireEvent.change(field, { target: { value: 'Ubud' } });
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await form.open!(user);
  expect(await screen.findByLabelText('City')).toHaveValue('Ubud');
  await user.click(screen.getByRole('button', { name: 'Save correction' }));
  expect(await screen.findByText('1 field was corrected')).toBeVisible();
  expect(sessionStorage).toHaveLength(0);
});

test('a correction that was typed before a change of somebody else does not replace it unseen', async () => {
  const form = FORMS.find(({ form }) => form === 'correction')!;
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/correct-order', async ({ request }) => {
      sent.push(await request.json());
      return refusal(409, 'Changed meanwhile', 'changed', { fields: ['city'] });
    }),
  );
  const { field } = await openForm(form);
  fireEvent.change(field, { target: { value: 'Ubud' } });
  closeApp();
  const { user } = await openForm({ ...form, details: { city: 'Denpasar' } });
  await user.click(screen.getByRole('button', { name: 'Save correction' }));
  expect(await screen.findByText(/Somebody else changed this to “Denpasar”/)).toBeVisible();
  expect(sent).toMatchObject([{ fields: { city: { before: 'Kuta', after: 'Ubud' } } }]);
});
