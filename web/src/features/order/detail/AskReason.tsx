import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import type { ZodMiniType } from 'zod/mini';
import type { DraftName } from '@/session/drafts';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button, type ButtonKind } from '@/ui/Button';
import { Dialog, DialogActions, DialogText } from '@/ui/Dialog';
import { TextField } from '@/ui/Field';
import { RestoredNote } from '@/ui/Form';
import { longText } from '../longText';
import classes from './AskReason.module.css';

interface Reason {
  reason: string;
}

const anyReason = z.object({
  reason: longText('The reason').check(
    z.refine((text) => text.trim() !== '', 'Please enter the reason'),
  ),
});

/** A button that sends the reason. */
interface Answer {
  label: string;
  kind: ButtonKind;
  /** Returns true if it succeeded: the dialog then closes, and its draft is removed. */
  send: (reason: string) => Promise<boolean>;
}

interface AskReasonProps {
  name: DraftName;
  /** The order or other object that the reason is about. */
  about: number | string;
  title: string;
  /** The text above the reason. */
  children: ReactNode;
  isAlert?: boolean;
  label?: string;
  hint?: string;
  schema?: ZodMiniType<Reason, Reason>;
  /** The way out without a reason; by default the reason takes the focus, and the dialog can be cancelled. */
  instead?: { label: string; onClick: () => void };
  answers: readonly Answer[];
  onClose: () => void;
}

/** Asks for a reason. It may stand in a form, so it is none. */
export function AskReason(props: AskReasonProps) {
  const { name, about, title, children, isAlert, label = 'Reason', hint, instead, answers } = props;
  const form = useDraftedForm<Reason>({
    name,
    about,
    schema: props.schema ?? anyReason,
    saved: NO_REASON,
    // An error that appears on blur would move the button that is being pressed.
    mode: 'onSubmit',
  });
  const { handleSubmit, fieldOf, resetTo, restored, isSubmitting } = form;
  const press = (send: Answer['send']) =>
    handleSubmit(async ({ reason }) => {
      if (!(await send(reason))) return;
      resetTo();
      props.onClose();
    })();
  return (
    <Dialog title={title} onClose={props.onClose}>
      <div className={classes.content}>
        <DialogText {...(isAlert && { role: 'alert' })}>{children}</DialogText>
        {restored && <RestoredNote {...restored} />}
        <TextField
          label={label}
          hint={hint}
          dir="auto"
          rows={instead ? 2 : 4}
          focusFirst={!instead}
          {...fieldOf('reason')}
        />
      </div>
      <DialogActions>
        {instead ? (
          <Button kind="primary" focusFirst onClick={instead.onClick}>
            {instead.label}
          </Button>
        ) : (
          <Button onClick={props.onClose}>Cancel</Button>
        )}
        {answers.map(({ label: text, kind, send }) => (
          <Button
            key={text}
            kind={kind}
            data-sends
            busy={isSubmitting}
            onClick={() => void press(send)}
          >
            {text}
          </Button>
        ))}
      </DialogActions>
    </Dialog>
  );
}

const NO_REASON: Reason = { reason: '' };
