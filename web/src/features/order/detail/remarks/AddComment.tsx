import { useEffect } from 'react';
import type { OrderDetails } from '@/api/types';
import { Checkbox } from '@/ui/Checkbox';
import { TextField } from '@/ui/Field';
import { Form, SubmitButton } from '@/ui/Form';
import { Row } from '@/ui/Row';
import { useMe } from '@/session/me';
import { CannedTextMenu } from '../../cannedTexts/CannedTextMenu';
import { useOrderPost } from '../useOrderPost';
import classes from './AddComment.module.css';
import { NewestComment } from './NewestComment';
import type { RemarkDraft, RemarkForm } from './useRemarkForm';

const FLAGS = [
  ['whatsapp', 'Whatsapp'],
  ['telephone', 'Telephone'],
  ['refund', 'Refund'],
  ['voided', 'Voided'],
  ['chargeback', 'Chargeback'],
] as const;

interface AddCommentProps {
  order: OrderDetails;
  form: RemarkForm;
  /** The field takes the focus as soon as it is on the screen, and calls `onFocused`. */
  takesFocus: boolean;
  onFocused: () => void;
}

/** A new remark about the order, and the newest one. */
export function AddComment({ order, form, takesFocus, onFocused }: AddCommentProps) {
  const { register, formOf, fieldOf, resetTo, setFocus, getValues, setValue, isSubmitting } = form;
  const { post } = useOrderPost();
  const { name } = useMe();
  const newest = order.remark.at(-1);
  useEffect(() => {
    if (!takesFocus) return;
    setFocus('remark');
    onFocused();
  }, [takesFocus, setFocus, onFocused]);

  const insert = (text: string) => {
    const before = getValues('remark').trimEnd();
    const remark = before === '' ? text : `${before}\n${text}`;
    setValue('remark', remark, { shouldDirty: true, shouldValidate: true });
    setFocus('remark');
  };
  const save = async (draft: RemarkDraft) => {
    const body = bodyOf(order.order_id, name, draft);
    if (await post('/api/admin/add-new-remark', body)) resetTo();
  };
  return (
    <Form card className={classes.form} aria-label="Add Comment Below" {...formOf(save)}>
      <TextField
        label="Add Comment Below"
        placeholder="What was said or agreed; @name tells a colleague"
        dir="auto"
        {...fieldOf('remark')}
      />
      <div className={classes.flags}>
        {FLAGS.map(([name, label]) => (
          <Checkbox key={name} label={label} readOnly={isSubmitting} {...register(name)} />
        ))}
      </div>
      <Row>
        <SubmitButton>Save Comment</SubmitButton>
        <CannedTextMenu order={order} onChoose={insert} />
      </Row>
      {newest && <NewestComment of={newest} />}
    </Form>
  );
}

/** A flag as the API spells it. */
function flag(isSet: boolean): string {
  return isSet ? 'Y' : '';
}

function bodyOf(orderId: number, remarkerName: string, draft: RemarkDraft) {
  return {
    orderId,
    remark: draft.remark,
    remarkerName,
    whatsapp: flag(draft.whatsapp),
    telephone: flag(draft.telephone),
    statusRefund: flag(draft.refund),
    voided: flag(draft.voided),
    chargeBack: flag(draft.chargeback),
  };
}
