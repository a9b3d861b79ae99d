import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { draftOf, keepDraft } from '@/session/drafts';

/** An unsaved remark. */
export interface RemarkDraft {
  remark: string;
  whatsapp: boolean;
  telephone: boolean;
  refund: boolean;
  voided: boolean;
  chargeback: boolean;
}

export const NO_REMARK: RemarkDraft = {
  remark: '',
  whatsapp: false,
  telephone: false,
  refund: false,
  voided: false,
  chargeback: false,
};

const remarkForm = z.object({
  remark: z.string().check(z.refine((text) => text.trim() !== '', 'Please enter your remark')),
  whatsapp: z.boolean(),
  telephone: z.boolean(),
  refund: z.boolean(),
  voided: z.boolean(),
  chargeback: z.boolean(),
});

/** The form of a new remark. Its draft is kept until it is saved. */
export function useRemarkForm(staffId: number, orderId: number) {
  const [defaultValues] = useState(
    () => draftOf<RemarkDraft>('remark', staffId, orderId) ?? NO_REMARK,
  );
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
        callback: ({ values }) => {
          const isBegun = Object.values(values).some(Boolean);
          keepDraft('remark', staffId, orderId, isBegun ? values : null);
        },
      }),
    [subscribe, staffId, orderId],
  );
  return form;
}

export type RemarkForm = ReturnType<typeof useRemarkForm>;
