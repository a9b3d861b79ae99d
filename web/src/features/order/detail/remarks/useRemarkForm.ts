import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { draftOf, keepDraft, type RemarkDraft } from './remarkDrafts';

const remarkForm = z.object({
  remark: z.string().check(z.refine((text) => text.trim() !== '', 'Please enter your remark')),
  whatsapp: z.boolean(),
  telephone: z.boolean(),
  refund: z.boolean(),
  voided: z.boolean(),
  chargeback: z.boolean(),
});

/** The form of a new remark. What is typed is kept until it is saved. */
export function useRemarkForm(staffId: number, orderId: number) {
  const [defaultValues] = useState(() => draftOf(staffId, orderId));
  const form = useForm<RemarkDraft>({
    mode: 'all',
    resolver: zodResolver(remarkForm),
    defaultValues,
  });
  const { subscribe } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values }) => keepDraft(staffId, orderId, values),
      }),
    [subscribe, staffId, orderId],
  );
  return form;
}

export type RemarkForm = ReturnType<typeof useRemarkForm>;
