import { useState } from 'react';
import { useController } from 'react-hook-form';
import * as z from 'zod/mini';
import type { FiledApplication, OrderDetails, OrderFiling } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import type { AttemptHeaders } from '@/api/attempt';
import { useChange } from '@/session/useChange';
import { useDraftedForm } from '@/session/useDraftedForm';
import { Button } from '@/ui/Button';
import { Field, SelectField } from '@/ui/Field';
import { FileDrop } from '@/ui/FileDrop';
import { Form, SubmitButton } from '@/ui/Form';
import { useHotkeys } from '@/ui/useHotkeys';
import { rememberChange } from '../../actions/lastChange';
import { useUndo } from '../../actions/useUndo';
import { ORDER } from '../../orderQueries';
import { useAttemptKey } from '../useAttemptKey';
import classes from './filing.module.css';
import { FilingPart } from './FilingPart';
import { fileApplication, type PortalAnswerFields } from './filingQuery';

const TITLE = 'Enter the portal’s answer';
const CURRENCIES = ['IDR', 'USD', 'EUR', 'AUD', 'SGD'];
const EMPTY: PortalAnswerFields = {
  applicationNumber: '',
  feeAmount: '',
  feeCurrency: CURRENCIES[0]!,
  receipt: null,
};

const UNSTORED = { receipt: 'Choose the receipt again.' };

const portalAnswer = z.object({
  applicationNumber: z
    .string()
    .check(
      z.trim(),
      z.regex(
        /^[A-Za-z0-9./-]{3,40}$/,
        'Please enter the number as the portal shows it: 3 to 40 letters, digits, dashes, slashes or dots',
      ),
    ),
  feeAmount: z
    .string()
    .check(
      z.trim(),
      z.regex(/^(\d+(\.\d+)?)?$/, 'Please enter the fee as a number, such as 1500000.00'),
    ),
  feeCurrency: z.string(),
  receipt: z.nullable(z.instanceof(File)),
});

interface PortalAnswerProps {
  order: OrderDetails;
  filing: OrderFiling;
  /** The application that counts among the open ones. */
  current: FiledApplication | undefined;
  onFiled: () => void;
}

/**
 * The form of what the portal answered, which moves the order to Awaiting Govt. What was typed while a
 * colleague filed the order can be recorded as a second application.
 */
export function PortalAnswer({ order, filing, current, onFiled }: PortalAnswerProps) {
  const orderId = order.order_id;
  const form = useDraftedForm<PortalAnswerFields>({
    name: 'filing',
    about: orderId,
    schema: portalAnswer,
    saved: EMPTY,
    unstored: UNSTORED,
  });
  const { register, formOf, fieldOf, resetTo, restored, setFocus, control, watch } = form;
  const { isSubmitting } = form;
  const { field } = useController({ name: 'receipt', control });
  useHotkeys(
    {
      n: (event) => {
        event.preventDefault();
        setFocus('applicationNumber');
      },
    },
    'view',
  );
  const attempt = useAttemptKey();
  const { undo } = useUndo();
  const { send } = useChange({
    run: ({ fields, headers }: { fields: PortalAnswerFields; headers: AttemptHeaders }) =>
      fileApplication(orderId, fields, current !== undefined, headers),
    stale: ORDER,
    waits: true,
    success: (result) => {
      const last = rememberChange([result], result.message);
      const { message } = result;
      return last ? { message, action: { label: 'Undo', onClick: () => undo(last) } } : { message };
    },
  });
  const number = watch('applicationNumber').trim().toUpperCase();
  const isRecorded = filing.filings.some((filed) => filed.application_number === number);
  // Keeps the form on the screen while the member replaces the number.
  const [isBeside, setBeside] = useState(false);
  if (current && number !== '' && !isRecorded && !isBeside) setBeside(true);
  if (current && (!isBeside || isRecorded)) return null;
  if (!filing.can_file && !current) {
    return (
      <FilingPart id="portal-answer" number={3} title={TITLE}>
        <p className={classes.text}>
          This order is in {statusLabel(order.process_status)}. Move it to New first if it is to be
          filed.
        </p>
      </FilingPart>
    );
  }
  const hasNumber = number !== '';
  const drop = () => {
    resetTo();
    setBeside(false);
  };
  const save = async (fields: PortalAnswerFields) => {
    const { receipt, ...texts } = fields;
    const content = [
      texts,
      current?.application_number,
      receipt?.name,
      receipt?.size,
      receipt?.lastModified,
    ];
    const result = await send({ fields, headers: attempt.headersOf(content) });
    if (!result) return;
    attempt.done();
    drop();
    onFiled();
  };
  return (
    <FilingPart
      id="portal-answer"
      number={current ? undefined : 3}
      title={current ? 'Your application' : TITLE}
    >
      {current && (
        <p className={classes.overtaken} role="status">
          <bdi>{current.filed_by}</bdi> has filed this order as{' '}
          <bdi translate="no">{current.application_number}</bdi>. Nothing that you entered is lost:
          if you have filed and paid <bdi translate="no">{number}</bdi> as well, record it beside
          that one.
        </p>
      )}
      <Form
        className={classes.form}
        aria-labelledby="portal-answer"
        {...formOf(save)}
        // Beside another application, the form has a way to discard it.
        restored={current ? null : restored}
      >
        <Field
          label="Application number"
          placeholder="as the portal shows it"
          spellCheck={false}
          {...fieldOf('applicationNumber')}
        />
        <div className={classes.fee}>
          <Field
            label="Fee paid"
            inputMode="decimal"
            placeholder="0.00"
            {...fieldOf('feeAmount')}
          />
          <SelectField
            label="Currency"
            options={CURRENCIES.map((code) => [code, code])}
            disabled={isSubmitting}
            {...register('feeCurrency')}
          />
        </div>
        <FileDrop
          label="Receipt"
          accept="application/pdf,image/*"
          hint="A PDF or an image, if there is one"
          chosen={field.value}
          disabled={isSubmitting}
          onPick={field.onChange}
        />
        <div>
          <SubmitButton disabled={!hasNumber}>
            {current ? 'Record as a second application' : 'Mark as filed'}
          </SubmitButton>
          {current && <Button onClick={drop}>Discard</Button>}
          {!hasNumber && <p className={classes.soft}>Enter the application number first.</p>}
        </div>
      </Form>
    </FilingPart>
  );
}
