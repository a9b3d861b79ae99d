import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import type { OrderDetails } from '@/api/types';
import { chosenFileOf, keepChosenFile } from '@/session/drafts';
import { useMe } from '@/session/me';
import { useAnnounced } from '@/session/presence';
import { Button } from '@/ui/Button';
import { Field } from '@/ui/Field';
import { FileDrop } from '@/ui/FileDrop';
import { Form } from '@/ui/Form';
import { notify } from '@/ui/notify';
import { useConfirm } from '@/ui/useConfirm';
import { useHotkeys } from '@/ui/useHotkeys';
import { rememberChange } from '../../actions/lastChange';
import { useUndo } from '../../actions/useUndo';
import { useGoOnBeside } from '../../colleagues';
import { providerOf } from '../mails/MailForm';
import type { MailProvider } from '../mails/mailCalls';
import type { Recipient } from '../mails/useRecipient';
import { AskReason } from '../AskReason';
import { useOrderPost } from '../useOrderPost';
import classes from './UploadDocument.module.css';
import { IssuedVisas } from './IssuedVisas';
import {
  ACCEPTED,
  deliveryReason,
  isDiffering,
  limitText,
  REASON_HINT,
  uploadVisa,
  visaUpload,
  type DeliveredVisa,
  type MailedVisa,
  type VisaUpload,
} from './visaUpload';

/** The buttons that send the form. */
const PROVIDERS = [
  { value: 'AWS', label: 'AWS', kind: 'primary' },
  { value: 'Sendgrid', label: 'SendGrid', kind: undefined },
] as const;

interface UploadDocumentProps {
  order: OrderDetails;
  /** Where the mail of the visa goes. */
  recipient: Recipient;
  onShow: (file1: string) => void;
}

/** The issued visas, and a form that uploads one and mails its link. */
export function UploadDocument(props: UploadDocumentProps) {
  const { order, recipient, onShow } = props;
  const { id: staffId } = useMe();
  const form = useRef<HTMLFormElement>(null);
  const { handleSubmit, reset, control, formState } = useUploadForm(staffId, order);
  const { errors, isSubmitting } = formState;
  const { field } = useController({ name: 'file', control });
  const [ask, question] = useConfirm();
  const goesOnBeside = useGoOnBeside(ask);
  useAnnounced(order.order_id, field.value || isSubmitting ? 'delivering' : null);
  const { send, share, cancel, differing, closeDiffering } = useVisaUpload(order.order_id);

  /** Returns true if the visa was sent. */
  const submit = async (provider: MailProvider, reason = '') => {
    let isSent = false;
    await handleSubmit(
      async ({ file }) => {
        const email = await recipient.take();
        if (email === null) return;
        // A reason answers a later question.
        if (!reason && !(await goesOnBeside([order.order_id], 'delivering'))) return;
        // A form that opens meanwhile, after another sign-in, must not offer the file once more.
        keepChosenFile(staffId, order.order_id, null);
        isSent = await send({ email, file, reason }, provider);
        if (isSent) {
          reset({ file: null });
          // This form may be gone, and its changes are no longer kept.
          keepChosenFile(staffId, order.order_id, null);
          recipient.dropDraft();
        } else {
          keepChosenFile(staffId, order.order_id, file);
        }
        // The pressed button may be gone: the keyboard continues from here.
        if (document.activeElement === document.body) form.current?.focus({ preventScroll: true });
      },
      // Both faults are named at once.
      () => void recipient.take(),
    )();
    return isSent;
  };
  const chooseFile = () => {
    const input = form.current?.querySelector<HTMLInputElement>('input[type="file"]');
    input?.focus();
    input?.click();
  };
  useHotkeys({ v: chooseFile });
  const chooseAnother = () => {
    closeDiffering();
    field.onChange(null);
    chooseFile();
  };
  return (
    <>
      <Form
        ref={form}
        className={classes.form}
        aria-label="Upload Document"
        tabIndex={-1}
        busy={isSubmitting}
        onSubmit={(event) => submit(providerOf(event))}
      >
        <div className={classes.head}>
          <h3>Upload Document</h3>
          {order.allowed.upload_visa && <Field label="Order Id" value={order.order_id} readOnly />}
        </div>
        <IssuedVisas order={order} onShow={onShow} />
        {order.allowed.upload_visa && (
          <>
            <FileDrop
              label="Visa"
              accept={ACCEPTED}
              hint={`A PDF, or a JPEG, PNG, WEBP or GIF image of at most ${limitText(order.visa_upload_limits.max_bytes)}`}
              chosen={field.value}
              error={errors.file?.message}
              disabled={isSubmitting}
              inputRef={field.ref}
              onPick={field.onChange}
              onBlur={field.onBlur}
            />
            {share === null ? (
              <div className={classes.buttons}>
                <span>Upload and email via</span>
                {PROVIDERS.map(({ value, label, kind }) => (
                  <Button
                    key={value}
                    type="submit"
                    small
                    name="provider"
                    value={value}
                    kind={kind}
                    aria-label={`Upload and email via ${label}`}
                    disabled={!order.mail_providers.includes(value)}
                  >
                    {label}
                  </Button>
                ))}
              </div>
            ) : (
              <Progress share={share} onCancel={cancel} />
            )}
          </>
        )}
      </Form>
      {question}
      {differing && (
        <AskReason
          name="visa-reason"
          about={order.order_id}
          title="This may be another person’s visa"
          isAlert
          hint={REASON_HINT}
          schema={deliveryReason}
          instead={{ label: 'Choose another file', onClick: chooseAnother }}
          answers={[
            {
              label: 'Send anyway',
              kind: 'danger',
              send: (reason) => {
                closeDiffering();
                return submit(differing.provider, reason);
              },
            },
          ]}
          onClose={closeDiffering}
        >
          {differing.message}
        </AskReason>
      )}
    </>
  );
}

/** The progress of the upload. A completely sent one can no longer be cancelled; the button keeps the focus. */
function Progress({ share, onCancel }: { share: number; onCancel: () => void }) {
  const isSent = share >= 1;
  return (
    <div className={classes.progress}>
      <progress aria-label="Upload" value={isSent ? undefined : share} />
      <span>{isSent ? 'Checking…' : `${Math.floor(share * 100)} %`}</span>
      <Button small focusFirst busy={isSent} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

/** The form of an upload. The chosen file is kept until it is sent. */
function useUploadForm(staffId: number, { order_id: orderId, visa_upload_limits }: OrderDetails) {
  const [defaultValues] = useState(() => ({ file: chosenFileOf(staffId, orderId) }));
  const form = useForm<VisaUpload>({
    mode: 'all',
    resolver: zodResolver(visaUpload(visa_upload_limits)),
    defaultValues,
  });
  const { subscribe } = form;
  useEffect(
    () =>
      subscribe({
        formState: { values: true },
        callback: ({ values: { file } }) => keepChosenFile(staffId, orderId, file),
      }),
    [subscribe, staffId, orderId],
  );
  return form;
}

/** A visa that the server refuses until a member gives a reason. */
interface DifferingVisa {
  /** The differences, and what to do. */
  message: string;
  provider: MailProvider;
}

function useVisaUpload(orderId: number) {
  const { submit } = useOrderPost({ isShown: isDiffering });
  const { undo } = useUndo();
  const running = useRef<AbortController>(null);
  /** The share that is sent, from 0 to 1; null while no upload runs. */
  const [share, setShare] = useState<number | null>(null);
  const [differing, setDiffering] = useState<DifferingVisa | null>(null);
  const isRunning = share !== null;
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isRunning]);

  const send = async (fields: MailedVisa, provider: MailProvider): Promise<boolean> => {
    const controller = new AbortController();
    running.current = controller;
    setShare(0);
    const { email, file, reason } = fields;
    const content = [provider, email, reason, file?.name, file?.size, file?.lastModified];
    const options = { signal: controller.signal, onProgress: setShare };
    let delivered: DeliveredVisa;
    try {
      return await submit(
        content,
        async (headers) => {
          const sent = uploadVisa(orderId, fields, provider, { ...options, headers });
          delivered = await sent.catch((error: unknown) => {
            if (isDiffering(error)) setDiffering({ message: error.message, provider });
            throw error;
          });
          return delivered;
        },
        () => warnOf(delivered),
      );
    } finally {
      setShare(null);
    }
  };
  /** Says at once what differs, with an offer to undo the delivery before its mail leaves. */
  const warnOf = ({ check, message, undo: undoable }: DeliveredVisa) => {
    if (!check?.is_open) return;
    const last = rememberChange([{ message, undo: undoable }], message);
    const action = last && { label: 'Undo', until: last.until, onClick: () => undo(last) };
    notify.error(`Please check this visa: ${check.said}.`, action ? { action } : {});
  };
  return {
    send,
    share,
    cancel: () => running.current?.abort(),
    differing,
    closeDiffering: () => setDiffering(null),
  };
}
