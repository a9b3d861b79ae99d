import * as z from 'zod/mini';

const MAX_CHARACTERS = 5000;

/** A text of many lines, which the server takes up to this length. `name` begins the message. */
export const longText = (name: string) =>
  z
    .string()
    .check(z.maxLength(MAX_CHARACTERS, `${name} must be at most ${MAX_CHARACTERS} characters`));
