import { type SubmitEvent, Suspense, useEffect, useId, useRef, useState } from 'react';
import { sendCode, trackOrder } from '@/api/visitorCalls';
import { readId } from '@/paths/encodedId';
import { useTexts } from '@/i18n/texts';
import { Field } from './Field';
import { failureText } from './failureText';
import { lazyPart } from './lazyPart';
import { Toast } from './Toast';
import './TrackForm.css';

/** Few visitors need a code, so the page does not wait for its form. */
const CodeForm = lazyPart('code', async () => (await import('./CodeForm')).CodeForm);

interface TrackFormProps {
  /** The order of the link; null while it is not known, or when the link names none. */
  orderId: number | null;
  /** The visitor is asked for a mailed code instead of the email. */
  isCode: boolean;
  /** Called when a code was asked for, and when the visitor returns to the email. */
  onCode: (orderId: number | null, isCode: boolean) => void;
  /** Called with the order that the visitor proved to be theirs. */
  onFound: (orderId: number | null) => void;
}

/** Asks for the order and its email, or for a mailed code. */
export function TrackForm({ orderId, isCode, onCode, onFound }: TrackFormProps) {
  const locale = useTexts();
  const { texts } = locale;
  const orderField = useRef<HTMLInputElement>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const [missing, setMissing] = useState({ orderId: false, email: false });
  const [isBusy, setBusy] = useState(false);
  const [isSending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isToastOpen, setToastOpen] = useState(false);
  const reason = useId();

  // Text typed before this script had loaded stays unchanged.
  useEffect(() => {
    const field = orderField.current;
    if (field && orderId !== null && field.value === '') field.value = String(orderId);
  }, [orderId]);

  const typed = () => orderField.current?.value.trim() ?? '';
  /** The order's number; null when what was typed is none. */
  const wanted = () => readId(typed());
  const order = () => String(wanted() ?? typed());

  const check = () => {
    const found = {
      orderId: typed() === '',
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
    setBusy(true);
    await attempt(async () => {
      await trackOrder(order(), emailField.current?.value.trim() ?? '');
      onFound(wanted());
    });
    setBusy(false);
  };

  const mailCode = async () => {
    if (isSending) return;
    setMissing({ orderId: typed() === '', email: false });
    if (typed() === '') {
      orderField.current?.focus();
      return;
    }
    setSending(true);
    await attempt(async () => {
      await sendCode(order(), emailField.current?.value.trim() ?? '');
      onCode(wanted(), true);
    });
    setSending(false);
  };

  /** Makes a call, and shows why it was refused. */
  const attempt = async (call: () => Promise<void>) => {
    setRefusal(null);
    setToastOpen(false);
    try {
      await call();
    } catch (error) {
      setRefusal(error);
      setToastOpen(true);
    }
  };

  const message = refusal === null ? '' : failureText(refusal, locale);
  // Typing into a field removes its error.
  const recheck = missing.orderId || missing.email ? check : undefined;
  return (
    <>
      {isCode && (
        <Suspense>
          <CodeForm
            order={order}
            isSending={isSending}
            onSendAgain={() => void mailCode()}
            onBack={() => onCode(wanted(), false)}
            onFound={() => onFound(wanted())}
          />
        </Suspense>
      )}
      <form
        className="card track"
        hidden={isCode}
        noValidate
        aria-describedby={reason}
        onSubmit={submit}
      >
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
        <button
          type="button"
          className="quiet"
          aria-disabled={isSending}
          onClick={() => void mailCode()}
        >
          {texts.codeOffer}
        </button>
      </form>
      {isToastOpen && <Toast message={message} onClose={() => setToastOpen(false)} />}
    </>
  );
}
