import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { trackOrder } from '@/api/visitorCalls';
import { readId } from '@/paths/encodedId';
import { useTexts } from '@/i18n/texts';
import { failureText } from './failureText';
import { Toast } from './Toast';
import './TrackForm.css';

interface TrackFormProps {
  /** The order of the link; null while it is not known, or when the link names none. */
  orderId: number | null;
  /** Called with the order that the visitor proved to be theirs. */
  onFound: (orderId: number | null) => void;
}

/** Asks for the order and its email. */
export function TrackForm({ orderId, onFound }: TrackFormProps) {
  const locale = useTexts();
  const { texts } = locale;
  const orderField = useRef<HTMLInputElement>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState({ orderId: false, email: false });
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isToastOpen, setToastOpen] = useState(false);
  const reason = useId();

  // Text typed before this script had loaded stays unchanged.
  useEffect(() => {
    const field = orderField.current;
    if (field && orderId !== null && field.value === '') field.value = String(orderId);
  }, [orderId]);

  const check = () => {
    const found = {
      orderId: orderField.current?.value.trim() === '',
      email: emailField.current?.value.trim() === '',
    };
    setMissing(found);
    return found;
  };

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const found = check();
    if (found.orderId || found.email) {
      (found.orderId ? orderField : emailField).current?.focus();
      return;
    }
    const typed = orderField.current?.value.trim() ?? '';
    const wanted = readId(typed);
    setBusy(true);
    setRefusal(null);
    setToastOpen(false);
    try {
      await trackOrder(
        wanted === null ? typed : String(wanted),
        emailField.current?.value.trim() ?? '',
      );
      onFound(wanted);
    } catch (error) {
      setRefusal(error);
      setToastOpen(true);
    } finally {
      setBusy(false);
    }
  };

  const message = refusal === null ? '' : failureText(refusal, locale);
  // Typing into a field removes its error.
  const recheck = missing.orderId || missing.email ? check : undefined;
  return (
    <form className="card track" noValidate aria-describedby={reason} onSubmit={submit}>
      <Field
        label={texts.orderId}
        hint={texts.orderIdHint}
        error={missing.orderId ? texts.orderIdMissing : ''}
      >
        {(described) => (
          <input
            {...described}
            ref={orderField}
            dir="ltr"
            translate="no"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            required
            onChange={recheck}
          />
        )}
      </Field>
      <Field
        label={texts.email}
        hint={texts.emailHint}
        error={missing.email ? texts.emailMissing : ''}
      >
        {(described) => (
          <input
            {...described}
            ref={emailField}
            type="email"
            inputMode="email"
            autoComplete="email"
            dir="ltr"
            translate="no"
            spellCheck={false}
            maxLength={320}
            required
            onChange={recheck}
          />
        )}
      </Field>
      <p id={reason} className="refusal" hidden={!message}>
        {message}
      </p>
      <button type="submit" className="primary" aria-disabled={isBusy}>
        {isBusy ? texts.checking : texts.trackOrder}
      </button>
      {isToastOpen && <Toast message={message} onClose={() => setToastOpen(false)} />}
    </form>
  );
}

interface FieldProps {
  label: string;
  hint: string;
  error: string;
  children: (described: {
    id: string;
    'aria-describedby': string;
    'aria-invalid': boolean;
  }) => React.ReactNode;
}

function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error !== '' })}
      <span id={`${id}-hint`} className={error ? 'error' : 'hint'}>
        {error || hint}
      </span>
    </div>
  );
}
