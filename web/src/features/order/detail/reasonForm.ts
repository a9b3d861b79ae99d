import * as z from 'zod/mini';

const MAX_LENGTH = 5000;

/** A form that asks for a reason alone. */
export const reasonForm = z.object({
  reason: z.string().check(
    z.refine((text) => text.trim() !== '', 'Please enter the reason'),
    z.maxLength(MAX_LENGTH, `The reason must be at most ${MAX_LENGTH} characters`),
  ),
});
