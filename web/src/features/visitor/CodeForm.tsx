import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { confirmCode } from '@/api/mailedCalls';
import { formatDuration } from '@/i18n/format';
import { useTexts } from '@/i18n/texts';
import { Field } from './Field';
import { failureText } from './failureText';
import { CODES_A_DAY, CODE_VALID_SECONDS } from './limits';

interface CodeFormProps {
  /** The order as it was typed. */
  order: () => string;
  isSending: boolean;
  onSendAgain: () => void;
  onBack: () => void;
  onFound: () => void;
}

/** Asks for the code that was mailed. */
export function CodeForm({ order, isSending, onSendAgain, onBack, onFound }: CodeFormProps) {
  const locale = useTexts();
  const { language, texts } = locale;
  const field = useRef<HTMLInputElement>(null);
  const [isMissing, setMissing] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const reason = useId();

  useEffect(() => field.current?.focus(), []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const code = field.current?.value.replaceAll(/\s/g, '') ?? '';
    const isWhole = /^\d{6}$/.test(code);
    setMissing(!isWhole);
    setRefusal(null);
    if (!isWhole) {
      field.current?.focus();
      return;
    }
    setBusy(true);
    try {
      await confirmCode(order(), code);
      onFound();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form className="card track" noValidate aria-describedby={reason} onSubmit={submit}>
      <p role="status">
        {texts.codeSent
          .replace('{duration}', formatDuration(CODE_VALID_SECONDS, language))
          .replace('{codes}', String(CODES_A_DAY))}
      </p>
      <Field label={texts.code} hint={texts.codeHint} error={isMissing ? texts.codeMissing : ''}>
        {(described) => (
          <input
            {...described}
            ref={field}
            inputMode="numeric"
            autoComplete="one-time-code"
            dir="ltr"
            translate="no"
            spellCheck={false}
            maxLength={13}
            required
            onChange={isMissing ? () => setMissing(false) : undefined}
          />
        )}
      </Field>
      <p id={reason} className="refusal" role="alert">
        {refusal !== null && failureText(refusal, locale)}
      </p>
      <button type="submit" className="primary" aria-disabled={isBusy}>
        {isBusy ? texts.checking : texts.codeConfirm}
      </button>
      <button type="button" className="quiet" aria-disabled={isSending} onClick={onSendAgain}>
        {texts.codeAgain}
      </button>
      <button type="button" className="quiet" onClick={onBack}>
        {texts.codeBack}
      </button>
    </form>
  );
}
