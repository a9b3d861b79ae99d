import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { StaffType, TeamMember } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { openApp, place } from '@/testing/openApp';
import { get, member, post, put, refusal, server, signedInAs, success } from '@/testing/server';

const AYU = teamMember(1, 'Ayu Lestari', 'Admin');
const BUDI = teamMember(2, 'Budi Santoso', 'Team');
const ALL_TYPES: StaffType[] = ['Admin', 'Manager', 'Team', 'Telecaller', 'Night Staff'];

function teamMember(id: number, name: string, type: StaffType): TeamMember {
  const email = `${name.split(' ')[0]?.toLowerCase()}@desk.example`;
  const updated_at = '2026-11-20T02:00:00Z';
  return { id, name, email, password: '********', type, second_factor: false, updated_at };
}

/** Serves a team and the member types. */
function teamOf(team: TeamMember[], types = ALL_TYPES) {
  signedInAs(member());
  server.use(
    get('/api/admin/get-team-member-list', () => success({ data: team })),
    get('/api/admin/get-team-member-type', () => success({ data: types })),
    get('/api/admin/team-member-info/:id', ({ params }) =>
      success({ data: team.find(({ id }) => id === Number(params['id']))! }),
    ),
  );
}

const notAllowed = () => refusal(403, 'You may not do this');

const list = async () => within(await screen.findByRole('table', { name: 'Team Member List' }));
const submit = () => screen.getByRole('button', { name: 'Submit' });

test('the team is listed with its columns, and passwords as asterisks', async () => {
  teamOf([AYU, BUDI]);
  await openApp('/admin/manage-team');
  const table = await list();
  const row = (await table.findByText('Budi Santoso')).closest('tr');
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    '#',
    'Name',
    'Email',
    'Password',
    'Type',
    'Action',
  ]);
  await waitFor(() =>
    expect([...(row?.cells ?? [])].map(({ textContent }) => textContent)).toEqual([
      '2',
      'Budi Santoso',
      'budi@desk.example',
      '********',
      'Team',
      'Edit Delete',
    ]),
  );
});

test('an incomplete form shows its errors and sends nothing', async () => {
  teamOf([AYU]);
  const user = await openApp('/admin/manage-team');
  await list();
  await user.click(submit());
  for (const message of [
    'Please enter your name',
    'Please enter your password',
    'Please enter your email',
    'Please select type',
  ]) {
    expect(await screen.findByText(message)).toBeVisible();
  }
  await user.type(screen.getByLabelText('Email ID'), 'nobody');
  await user.type(screen.getByLabelText('Password'), 'short');
  expect(await screen.findByText('Password must be at least 6 characters')).toBeVisible();
  expect(screen.getByText('Please enter your email')).toBeVisible();
});

test('a member is added with a toast, and the form is empty for the next one', async () => {
  const team = [AYU];
  teamOf(team);
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/add-team-member', async ({ request }) => {
      sent.push(await request.json());
      team.push(BUDI);
      return success({ data: BUDI }, 'Team member added successfully');
    }),
  );
  const user = await openApp('/admin/manage-team');
  await user.type(await screen.findByLabelText('Name'), ' Budi Santoso ');
  await user.type(screen.getByLabelText('Password'), 'long enough');
  await user.type(screen.getByLabelText('Email ID'), 'budi@desk.example');
  await user.selectOptions(
    screen.getByLabelText('Member Type'),
    await screen.findByRole('option', { name: 'Team' }),
  );
  await user.click(submit());
  expect(await screen.findByText('Team member added successfully')).toBeVisible();
  expect(sent).toEqual([
    { name: 'Budi Santoso', password: 'long enough', email: 'budi@desk.example', type: 'Team' },
  ]);
  expect(await (await list()).findByText('budi@desk.example')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue(''));
  expect(screen.getByLabelText('Password')).toHaveValue('');
});

test('a refusal is shown, and the fields keep their values', async () => {
  teamOf([AYU]);
  server.use(
    post('/api/admin/add-team-member', () =>
      refusal(409, 'A team member with this email already exists'),
    ),
  );
  const user = await openApp('/admin/manage-team');
  await user.type(await screen.findByLabelText('Name'), 'Ayu Two');
  await user.type(screen.getByLabelText('Password'), 'long enough');
  await user.type(screen.getByLabelText('Email ID'), AYU.email);
  await screen.findByRole('option', { name: 'Team' });
  await user.selectOptions(screen.getByLabelText('Member Type'), 'Team');
  await user.click(submit());
  expect(await screen.findByText('A team member with this email already exists')).toBeVisible();
  expect(screen.getByLabelText('Name')).toHaveValue('Ayu Two');
});

test('Edit opens the member under its own URL, and an empty password changes nothing', async () => {
  teamOf([AYU, BUDI]);
  const sent: unknown[] = [];
  server.use(
    post('/api/admin/update-team-member', async ({ request }) => {
      sent.push(await request.json());
      return success({}, 'Team member updated successfully');
    }),
  );
  const user = await openApp('/admin/manage-team');
  await user.click(await (await list()).findByRole('link', { name: 'Edit Budi Santoso' }));
  expect(place()).toBe(paths.teamMember(2));
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue('Budi Santoso'));
  expect(screen.getByLabelText('Password')).toHaveValue('');
  expect(screen.getByLabelText('Member Type')).toHaveValue('Team');
  await user.selectOptions(screen.getByLabelText('Member Type'), 'Telecaller');
  await user.click(submit());
  expect(await screen.findByText('Team member updated successfully')).toBeVisible();
  expect(sent).toEqual([
    {
      name: 'Budi Santoso',
      password: '',
      email: 'budi@desk.example',
      type: 'Telecaller',
      tmId: 2,
      updated_at: '2026-11-20T02:00:00Z',
    },
  ]);
  await waitFor(() => expect(place()).toBe('/admin/manage-team'));
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue(''));
});

test('a member that changed meanwhile is reloaded, except for edited fields', async () => {
  const team = [BUDI];
  teamOf(team);
  server.use(
    post('/api/admin/update-team-member', () => {
      team[0] = { ...BUDI, email: 'new@desk.example', updated_at: '2026-11-20T03:00:00Z' };
      return refusal(409, 'This team member was changed meanwhile');
    }),
  );
  const user = await openApp(paths.teamMember(2));
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveValue('Budi Santoso'));
  await user.type(screen.getByLabelText('Name'), ' II');
  await user.click(submit());
  expect(await screen.findByText('This team member was changed meanwhile')).toBeVisible();
  await waitFor(() => expect(screen.getByLabelText('Email ID')).toHaveValue('new@desk.example'));
  expect(screen.getByLabelText('Name')).toHaveValue('Budi Santoso II');
});

test('Delete asks first and removes the member from the list', async () => {
  const team = [AYU, BUDI];
  teamOf(team);
  const sent: unknown[] = [];
  server.use(
    put('/api/admin/delete-team-member', async ({ request }) => {
      sent.push(await request.json());
      team.pop();
      return success({}, 'Team member deleted successfully');
    }),
  );
  const user = await openApp('/admin/manage-team');
  await user.click(await screen.findByRole('button', { name: 'Delete Budi Santoso' }));
  expect(screen.getByRole('dialog')).toHaveTextContent('Are you sure you want to delete?');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Delete Budi Santoso' }));
  await user.click(screen.getByRole('button', { name: 'Yes, delete' }));
  expect(await screen.findByText('Team member deleted successfully')).toBeVisible();
  expect(sent).toEqual([{ teamMemberId: 2 }]);
  await waitFor(async () => expect((await list()).queryByText('Budi Santoso')).toBeNull());
});

test('members who may not change an Admin have no buttons for one', async () => {
  teamOf([AYU, BUDI], ['Team', 'Telecaller', 'Night Staff']);
  await openApp('/admin/manage-team');
  expect(await screen.findByRole('button', { name: 'Delete Budi Santoso' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Delete Ayu Lestari' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Edit Ayu Lestari' })).toBeNull();
});

test('the search narrows the list, keeps the numbers, and can be cleared', async () => {
  teamOf([AYU, BUDI]);
  const user = await openApp('/admin/manage-team');
  const table = await list();
  await table.findByText('Ayu Lestari');
  await user.type(screen.getByRole('searchbox', { name: 'Search the team' }), 'BUDI');
  await waitFor(() => expect(table.queryByText('Ayu Lestari')).toBeNull());
  expect(table.getByText('Budi Santoso').closest('tr')?.cells[0]).toHaveTextContent('2');
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'zz');
  expect(await screen.findByText('No records found')).toBeVisible();
  expect(screen.getByText('No data available in table')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(await table.findByText('Ayu Lestari')).toBeVisible();
});

test('an unknown member is reported above the list', async () => {
  teamOf([AYU]);
  server.use(
    get('/api/admin/team-member-info/:id', () =>
      refusal(404, 'There is no such team member', 'member_not_found'),
    ),
  );
  await openApp(paths.teamMember(9));
  expect(await screen.findByText('This team member does not exist')).toBeVisible();
  expect(await (await list()).findByText('Ayu Lestari')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
});

test('an invalid member link says so and leads to the form for a new member', async () => {
  teamOf([AYU]);
  const user = await openApp('/admin/manage-team/nobody-at-all');
  expect(await screen.findByText('This team member does not exist')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Add a team member' }));
  expect(place()).toBe('/admin/manage-team');
  expect(await screen.findByRole('form', { name: 'Add Team Member' })).toBeVisible();
});

test('without permission the screen says why and shows no form', async () => {
  signedInAs(member({}));
  server.use(
    get('/api/admin/get-team-member-list', notAllowed),
    get('/api/admin/get-team-member-type', notAllowed),
  );
  await openApp('/admin/manage-team');
  expect(await screen.findByText('You may not do this')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
});
