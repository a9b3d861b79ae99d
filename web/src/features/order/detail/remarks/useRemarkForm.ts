import * as z from 'zod/mini';
import { useDraftedForm } from '@/session/useDraftedForm';

/** An unsaved remark. */
export interface RemarkDraft {
  remark: string;
  whatsapp: boolean;
  telephone: boolean;
  refund: boolean;
  voided: boolean;
  chargeback: boolean;
}

const NO_REMARK: RemarkDraft = {
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
export function useRemarkForm(orderId: number) {
  return useDraftedForm<RemarkDraft>({
    name: 'remark',
    about: orderId,
    schema: remarkForm,
    saved: NO_REMARK,
  });
}

export type RemarkForm = ReturnType<typeof useRemarkForm>;
