import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod/mini';
import type { OrderDetails } from '@/api/types';
import { LANGUAGES, isLanguage } from '@/i18n/languages';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { Dialog, DialogActions } from '@/ui/Dialog';
import { SelectField, TextField } from '@/ui/Field';
import { Form } from '@/ui/Form';
import { cannedTextsQuery } from '../../cannedTexts/cannedTextCalls';
import { filled } from '../../cannedTexts/cannedTextFields';
import { LogContact } from './LogContact';
import { WhatsappButton } from './WhatsappButton';
import classes from './WhatsappDialog.module.css';

const messageFields = z.object({ text: z.string(), language: z.string(), message: z.string() });

type MessageFields = z.infer<typeof messageFields>;

interface WhatsappDialogProps {
  order: OrderDetails;
  onClose: () => void;
  /** Called to log that the customer was contacted. */
  onLogContact: () => void;
}

/** A WhatsApp message to the applicant, from a canned text in their language. */
export function WhatsappDialog({ order, onClose, onLogContact }: WhatsappDialogProps) {
  const { data } = useQuery(cannedTextsQuery);
  const [isWritten, setWritten] = useState(false);
  const texts = data?.texts.filter(({ purpose }) => purpose === 'whatsapp') ?? [];
  const [saved] = useState<MessageFields>(() => ({
    text: '',
    language: order.language,
    message: `Your visa application ${order.order_number}: `,
  }));
  const form = useDraftedForm({
    name: 'whatsapp',
    about: order.order_id,
    schema: messageFields,
    saved,
  });
  const { register, watch, setValue, resetTo, restored } = form;
  const { text: chosenId, language, message } = watch();
  const chosen = texts.find(({ id }) => String(id) === chosenId);
  const choose = (id: string, wanted: string) => {
    const text = texts.find((text) => String(text.id) === id);
    if (!text) return;
    const written = wanted in text.texts ? wanted : 'en';
    const typed = { shouldDirty: true };
    setValue('language', written, typed);
    setValue('message', filled(text.texts[written] ?? '', order, written), typed);
  };
  const close = () => {
    if (isWritten) resetTo();
    onClose();
  };
  const written = Object.keys(chosen?.texts ?? {}).filter(isLanguage);
  const offered = written.length > 0 ? written : [language].filter(isLanguage);
  return (
    <Dialog title="WhatsApp message" wide onClose={close}>
      <Form className={classes.form} restored={restored} onSubmit={() => undefined}>
        <SelectField
          label="Canned text"
          options={texts.map(({ id, title }) => [id, title])}
          {...register('text', {
            onChange: ({ target }: { target: HTMLSelectElement }) =>
              choose(target.value, order.language),
          })}
        >
          <option value="">None</option>
        </SelectField>
        <SelectField
          label="Language"
          options={offered.map((code) => [code, LANGUAGES[code].name])}
          disabled={written.length < 2}
          {...register('language', {
            onChange: ({ target }: { target: HTMLSelectElement }) => choose(chosenId, target.value),
          })}
        />
        <div className={classes.message}>
          <TextField
            label="Message"
            rows={8}
            lang={language}
            dir="auto"
            focusFirst
            {...register('message')}
          />
        </div>
      </Form>
      {isWritten && order.allowed.remark && (
        <LogContact
          onLog={() => {
            resetTo();
            onLogContact();
          }}
        />
      )}
      <DialogActions>
        <Button onClick={close}>Close</Button>
        <WhatsappButton
          kind="primary"
          number={order.telephone?.digits}
          text={message}
          isLoaded
          onOpen={() => setWritten(true)}
        />
      </DialogActions>
    </Dialog>
  );
}
