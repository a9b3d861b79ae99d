import type { OrderDetails } from '@/api/types';
import { Chip } from '@/ui/Chip';
import { plainDate } from '@/ui/times';
import { originalOf, type OnCorrect } from './corrections/correctedFields';
import { DateFact, Fact, FactNote, FactSection } from './Fact';

/** Which visa was applied for. */
export function visaFacts(order: OrderDetails, onCorrect?: OnCorrect) {
  const days = order.stay_day;
  return (
    <FactSection
      title="Visa Type Information"
      onCorrect={onCorrect && (() => onCorrect('Visa Type Information'))}
    >
      <Fact
        label="Passport Country"
        text={order.passport_from}
        original={originalOf(order, 'passport_from')}
      />
      <Fact
        label="Main Purpose of Visit"
        text={order.main_purpose_of_visit}
        original={originalOf(order, 'main_purpose_of_visit')}
      />
      <Fact
        label="Sub Purpose"
        text={order.sub_purpose_of_visit}
        original={originalOf(order, 'sub_purpose_of_visit')}
      />
      <Fact
        label="Visa Type"
        text={visaTypeText(order)}
        original={originalOf(order, 'visa_type')}
      />
      {order.issued_type && <RulesOf type={order.issued_type} />}
      {days ? (
        <Fact label="Planned Stay" original={originalOf(order, 'stay_day')}>
          {days} {days === 1 ? 'day' : 'days'} <VisaWarning of={order} codes={['stay_too_long']} />
        </Fact>
      ) : (
        <Fact label="Planned Stay" original={originalOf(order, 'stay_day')} />
      )}
      {(order.arrival_date || originalOf(order, 'arrival_date') !== undefined) && (
        <DateFact
          label="Arrival Date"
          date={order.arrival_date}
          original={originalOf(order, 'arrival_date')}
        >
          <VisaWarning of={order} codes={['too_early', 'arrival_passed']} />
        </DateFact>
      )}
    </FactSection>
  );
}

/**
 * The values of the catalogue for stay, entries and the time to apply. A value without a source is
 * not known.
 */
function RulesOf({ type }: { type: NonNullable<OrderDetails['issued_type']> }) {
  const { stay_days: days, window, first_day: first } = type;
  const stay = type.unlimited_stay ? 'Without end' : days ? `${days} days` : 'Not known';
  return (
    <>
      <Fact label="Allowed Stay" text={`${stay}, ${type.entry} entry`} />
      {window ? (
        <Fact label="When to Apply">
          {first && `From ${plainDate(first)} on, `}
          {window.days_before_arrival} days before arrival at the earliest
          <FactNote>
            The latest day is not known. Source: {window.source}, {plainDate(window.as_of)}.
          </FactNote>
        </Fact>
      ) : (
        <Fact label="When to Apply" text="No rule on record" />
      )}
    </>
  );
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

function visaTypeText({ visa_type, issued_type }: OrderDetails) {
  if (!issued_type) return visa_type;
  const { code, label } = issued_type;
  return code === visa_type
    ? `${code} · ${label}`
    : `${visa_type} · no longer issued, now ${code} · ${label}`;
}
