import * as z from 'zod/mini';
import { MIN_PASSWORD_CHARACTERS } from '@/session/passwordLength';

const TOO_SHORT = `Password must be at least ${MIN_PASSWORD_CHARACTERS} characters`;

const profile = {
  name: z.string().check(z.trim(), z.minLength(1, 'Please enter your name')),
  email: z.string().check(z.trim(), z.email('Please enter your email')),
  type: z.string().check(z.minLength(1, 'Please select type')),
};

export const newMember = z.object({
  ...profile,
  password: z
    .string()
    .check(
      z.minLength(1, 'Please enter your password'),
      z.minLength(MIN_PASSWORD_CHARACTERS, TOO_SHORT),
    ),
});

/** An existing member: an empty password keeps the current one. */
export const knownMember = z.object({
  ...profile,
  password: z
    .string()
    .check(z.refine((text) => text === '' || text.length >= MIN_PASSWORD_CHARACTERS, TOO_SHORT)),
});

export type MemberFields = z.infer<typeof newMember>;

export const NO_MEMBER: MemberFields = { name: '', password: '', email: '', type: '' };
