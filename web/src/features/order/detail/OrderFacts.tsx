import type { ReactNode } from 'react';
import type { OrderDetails } from '@/api/types';
import { Chip } from '@/ui/Chip';
import { CopyButton } from '@/ui/CopyButton';
import { formatMoney } from '@/ui/numbers';
import { Time } from '@/ui/Time';
import { plainDate } from '@/ui/times';
import { phoneOf } from '../phone';
import { breakable, FactNote, type OrderFact, type OrderSection } from './Fact';
import { processingModeText } from './format';
import classes from './OrderFacts.module.css';
import {
  originalOf,
  SECTIONS,
  valueOf,
  type FieldName,
  type OrderField,
  type SectionTitle,
} from './orderFields';
import { personName } from './personName';

interface FactsOptions {
  /** Opens the message to the applicant. */
  onWrite: () => void;
  /** Opens the correction of a section. */
  onCorrect: ((section: SectionTitle) => void) | undefined;
}

const SHOWN: readonly SectionTitle[] = [
  'Visa Type Information',
  'Personal and Contact Information',
  'Document Information',
  'Address in Indonesia',
];

/** The sections of an order as its screen shows them. */
export function sectionsOf(
  order: OrderDetails,
  { onWrite, onCorrect }: FactsOptions,
): OrderSection[] {
  const { checkout } = order;
  return [
    { title: 'Order Details', facts: orderFacts(order) },
    ...SHOWN.map((title) => ({
      title,
      gist: GISTS[title]?.(order),
      onCorrect: onCorrect && (() => onCorrect(title)),
      facts: SECTIONS[title].flatMap((field) => factsOf(order, field, onWrite)),
    })),
    ...(checkout ? [{ title: 'Checkout Evidence', gist: '', facts: checkoutFacts(checkout) }] : []),
  ];
}

/** The sections that are folded. One with a warning is not. */
const GISTS: Partial<Record<SectionTitle, (order: OrderDetails) => string | undefined>> = {
  'Visa Type Information': (order) =>
    order.visa_warnings.length > 0
      ? undefined
      : joined([
          order.visa_type,
          order.stay_day && stayText(order.stay_day),
          order.arrival_date && `arrives ${plainDate(order.arrival_date)}`,
        ]),
  'Address in Indonesia': ({ city, province }) => joined([city, province]),
};

const joined = (parts: readonly (string | number | null | undefined)[]) =>
  parts.filter(Boolean).join(' · ');

function factsOf(order: OrderDetails, field: OrderField, onWrite: () => void): OrderFact[] {
  const { name, label, kind, copied, isPart } = field;
  if (isPart) return [];
  const text = valueOf(order, name);
  const original = originalOf(order, name);
  const fact =
    kind === 'date'
      ? { label, content: dateOf(text), original: original && plainDate(original) }
      : { label, text, copied, original };
  return OWN_WAYS[name]?.(fact, order, onWrite) ?? [fact];
}

/** A date without a time, as `DD-MM-YYYY`. */
function dateOf(date: string | null | undefined) {
  return date ? <time dateTime={date}>{plainDate(date)}</time> : undefined;
}

type OwnWay = (fact: OrderFact, order: OrderDetails, onWrite: () => void) => OrderFact[];

/** The fields that are more than a label and a text. */
const OWN_WAYS: Partial<Record<FieldName, OwnWay>> = {
  full_name: (fact, { full_name }) => [{ ...fact, text: personName(full_name) }],
  contact_email_address: (fact, { contact_email_address: email, user }) => {
    const content = (
      <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
        <bdi>{breakable(email)}</bdi>
      </a>
    );
    const isOwnAccount = user.email && user.email.toLowerCase() !== email.toLowerCase();
    return [
      { ...fact, content },
      {
        label: 'Account Email',
        text: isOwnAccount ? user.email : '',
        copied: true,
        isOptional: true,
      },
    ];
  },
  phone_number: ({ label }, order, onWrite) => [
    { label, content: phoneContent(order, onWrite), original: originalPhone(order) },
  ],
  visa_type: (fact, order) => [
    { ...fact, text: visaTypeText(order) },
    ...(order.issued_type ? ruleFacts(order.issued_type) : []),
  ],
  stay_day: ({ original }, order) => {
    const days = order.stay_day;
    const content = days ? (
      <>
        {stayText(days)} <VisaWarning of={order} codes={['stay_too_long']} />
      </>
    ) : undefined;
    return [{ label: 'Planned Stay', content, original }];
  },
  arrival_date: (fact, order) => {
    const warning = <VisaWarning of={order} codes={['too_early', 'arrival_passed']} />;
    return [{ ...followed(fact, warning), isOptional: true }];
  },
  date_of_expiry: (fact, { document_expired }) => [
    followed(fact, document_expired && <Chip tone="danger">Expired</Chip>),
  ],
};

const stayText = (days: number) => (days === 1 ? '1 day' : `${days} days`);

/** The fact with something behind its content; unchanged without content. */
function followed(fact: OrderFact, behind: ReactNode): OrderFact {
  if (!fact.content) return fact;
  return {
    ...fact,
    content: (
      <>
        {fact.content} {behind}
      </>
    ),
  };
}

function phoneContent({ telephone }: OrderDetails, onWrite: () => void) {
  if (!telephone) return undefined;
  const { shown, dialled, digits } = telephone;
  return (
    <div className={classes.phone}>
      <span>
        <a href={`tel:${dialled}`}>
          <bdi dir="ltr">{shown}</bdi>
        </a>
        <CopyButton text={shown} what="Phone" />
      </span>
      {digits && (
        <button type="button" className={classes.whatsapp} onClick={onWrite}>
          WhatsApp
        </button>
      )}
    </div>
  );
}

/** The number that the customer sent, if either part of it was corrected. */
function originalPhone(order: OrderDetails): string | null | undefined {
  const parts = (['country_code', 'phone_number'] as const).map((name) => ({
    name,
    original: originalOf(order, name),
  }));
  if (parts.every(({ original }) => original === undefined)) return undefined;
  const [code, number] = parts.map(({ name, original }) =>
    original === undefined ? valueOf(order, name) : original,
  );
  return phoneOf(code, number)?.text ?? null;
}

function visaTypeText({ visa_type, issued_type }: OrderDetails) {
  if (!issued_type) return visa_type;
  const { code, label } = issued_type;
  return code === visa_type
    ? `${code} · ${label}`
    : `${visa_type} · no longer issued, now ${code} · ${label}`;
}

/**
 * The values of the catalogue for stay, entries and the time to apply. A value without a source is
 * not known.
 */
function ruleFacts(type: NonNullable<OrderDetails['issued_type']>): OrderFact[] {
  const { stay_days: days, window, first_day: first } = type;
  const stay = type.unlimited_stay ? 'Without end' : days ? `${days} days` : 'Not known';
  const content = window && (
    <>
      {first && `From ${plainDate(first)} on, `}
      {window.days_before_arrival} days before arrival at the earliest
      <FactNote>
        The latest day is not known. Source: {window.source}, {plainDate(window.as_of)}.
      </FactNote>
    </>
  );
  return [
    { label: 'Allowed Stay', text: `${stay}, ${type.entry} entry` },
    { label: 'When to Apply', text: 'No rule on record', content: content ?? undefined },
  ];
}

type Warning = OrderDetails['visa_warnings'][number];

const CHIPS: Record<Warning['code'], string> = {
  too_early: 'Too early',
  arrival_passed: 'Passed',
  stay_too_long: 'Too long',
};

/** The warning of the visa's rules about a field, with its source. */
function VisaWarning({ of: order, codes }: { of: OrderDetails; codes: Warning['code'][] }) {
  const warning = order.visa_warnings.find(({ code }) => codes.includes(code));
  if (!warning) return null;
  const { source, as_of } = warning;
  return (
    <>
      <Chip tone="warn">{CHIPS[warning.code]}</Chip>
      <FactNote>
        {warning.text}
        {source && ` Source: ${source}${as_of ? `, ${plainDate(as_of)}` : ''}.`}
      </FactNote>
    </>
  );
}

/** The order, its processing and its payment. */
function orderFacts(order: OrderDetails): OrderFact[] {
  const reference = { copied: true, isOptional: true };
  return [
    { label: 'Order Id', text: order.order_id },
    { label: 'Application Email Address', text: order.application_email_address, copied: true },
    { label: 'Contact Email', text: order.contact_email_address, copied: true },
    { label: 'Processing Mode', text: processingModeText(order.processing_mode) },
    { label: 'Processing Date', content: dateOf(order.processing_date), isOptional: true },
    { label: 'Signature Name', text: order.signature_name },
    { label: 'Payment', content: paymentContent(order), isOptional: true },
    { label: 'Merchant Name', text: order.merchant_name, isOptional: true },
    { label: 'Transaction Id', text: order.transaction_id, ...reference },
    { label: 'Sales Site Reference', text: order.external_reference, ...reference },
  ];
}

function paymentContent({ payment }: OrderDetails) {
  if (!payment) return undefined;
  return (
    <>
      <span>{formatMoney(payment.amount_minor, payment.currency)}</span> · {payment.gateway}
      {payment.card_brand && ` · ${payment.card_brand}`}
      {payment.card_last_four && ` ••••\u00A0${payment.card_last_four}`}
      <FactNote>
        <Time iso={payment.paid_at} /> · <bdi>{payment.payment_reference}</bdi>
      </FactNote>
    </>
  );
}

/** The evidence that the sales site recorded at checkout. */
function checkoutFacts(checkout: NonNullable<OrderDetails['checkout']>): OrderFact[] {
  const accepted = checkout.terms_accepted_at;
  return [
    { label: 'Purchase IP', text: checkout.purchase_ip?.replace(/^::ffff:/i, '') },
    { label: 'Device Id', text: checkout.device_id },
    { label: 'User Agent', text: checkout.user_agent },
    { label: '3-D Secure', text: checkout.three_d_secure },
    { label: 'Terms Version', text: checkout.terms_version },
    { label: 'Terms Accepted', content: accepted && <Time iso={accepted} /> },
  ];
}
