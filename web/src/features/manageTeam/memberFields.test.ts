import { expect, test } from 'vitest';
import { knownMember, newMember } from './memberFields';

const budi = {
  name: ' Budi Santoso ',
  email: ' budi@desk.example ',
  type: 'Team',
  password: 'secret',
};
const refusedIn = (form: typeof newMember | typeof knownMember, fields: object) =>
  form
    .safeParse({ ...budi, ...fields })
    .error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`);

test.each([newMember, knownMember])('a member has a name, an email and a type', (form) => {
  expect(form.parse(budi)).toEqual({ ...budi, name: 'Budi Santoso', email: 'budi@desk.example' });
  expect(refusedIn(form, { name: '  ', email: 'budi', type: '' })).toEqual([
    'name: Please enter your name',
    'email: Please enter your email',
    'type: Please select type',
  ]);
});

test.each([newMember, knownMember])('a password has at least six characters', (form) => {
  expect(refusedIn(form, { password: 'short' })).toEqual([
    'password: Password must be at least 6 characters',
  ]);
});

test('only a member who has a password may leave it empty', () => {
  expect(refusedIn(knownMember, { password: '' })).toBeUndefined();
  expect(refusedIn(newMember, { password: '' })).toContain('password: Please enter your password');
});
