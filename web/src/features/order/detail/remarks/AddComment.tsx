import { useEffect } from 'react';
import type { UserInfo } from '@/api/types';
import { answer, api } from '@/api/client';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { TextField } from '@/ui/Field';
import { keepDraft } from '@/session/drafts';
import { useOrderPost } from '../useOrderPost';
import classes from './AddComment.module.css';
import { NO_REMARK, type RemarkDraft, type RemarkForm } from './useRemarkForm';

const FLAGS = [
  ['whatsapp', 'Whatsapp'],
  ['telephone', 'Telephone'],
  ['refund', 'Refund'],
  ['voided', 'Voided'],
  ['chargeback', 'Chargeback'],
] as const;

interface AddCommentProps {
  orderId: number;
  me: UserInfo;
  form: RemarkForm;
  /** The field takes the focus as soon as it is on the screen, and calls `onFocused`. */
  takesFocus: boolean;
  onFocused: () => void;
}

/** A new remark about the order. */
export function AddComment({ orderId, me, form, takesFocus, onFocused }: AddCommentProps) {
  const { register, handleSubmit, reset, setFocus, formState } = form;
  const { errors, isSubmitting } = formState;
  const post = useOrderPost();
  useEffect(() => {
    if (!takesFocus) return;
    setFocus('remark');
    onFocused();
  }, [takesFocus, setFocus, onFocused]);

  const save = async (draft: RemarkDraft) => {
    if (!(await post(draft, (key) => addRemark(orderId, me.name, draft, key)))) return;
    keepDraft('remark', me.id, orderId, null);
    reset(NO_REMARK);
  };
  return (
    <Card
      as="form"
      className={classes.form}
      aria-label="Add Comment Below"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void handleSubmit(save)(event);
      }}
    >
      <TextField
        label="Add Comment Below"
        placeholder="What was said or agreed"
        dir="auto"
        // A running submission must not be edited.
        readOnly={isSubmitting}
        error={errors.remark?.message}
        {...register('remark')}
      />
      <div className={classes.flags}>
        {FLAGS.map(([name, label]) => (
          <Checkbox key={name} label={label} readOnly={isSubmitting} {...register(name)} />
        ))}
      </div>
      <Button type="submit" kind="primary" busy={isSubmitting}>
        Save Comment
      </Button>
    </Card>
  );
}

/** A flag as the API spells it. */
function flag(isSet: boolean): string {
  return isSet ? 'Y' : '';
}

async function addRemark(
  orderId: number,
  remarkerName: string,
  { remark, whatsapp, telephone, refund, voided, chargeback }: RemarkDraft,
  key: string,
): Promise<string> {
  const body = {
    orderId,
    remark,
    remarkerName,
    whatsapp: flag(whatsapp),
    telephone: flag(telephone),
    statusRefund: flag(refund),
    voided: flag(voided),
    chargeBack: flag(chargeback),
  };
  const headers = { 'Idempotency-Key': key };
  return (await answer(api.POST('/api/admin/add-new-remark', { body, headers }))).message;
}
