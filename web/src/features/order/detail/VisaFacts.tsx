import type { OrderDetails, VisaCatalogue } from '@/api/types';
import { Fact, FactSection } from './Fact';
import { findVisaType } from './documents/documentList';

interface VisaFactsProps {
  order: OrderDetails;
  /** Undefined while it is not there. */
  catalogue: VisaCatalogue | undefined;
}

/** Which visa was applied for. */
export function VisaFacts({ order, catalogue }: VisaFactsProps) {
  const days = order.stay_day;
  return (
    <FactSection title="Visa Type Information">
      <Fact label="Passport Country" text={order.passport_from} />
      <Fact label="Main Purpose of Visit" text={order.main_purpose_of_visit} />
      <Fact label="Sub Purpose" text={order.sub_purpose_of_visit} />
      <Fact label="Visa Type" text={visaTypeText(order.visa_type, catalogue)} />
      <Fact label="Planned Stay" text={days ? `${days} ${days === 1 ? 'day' : 'days'}` : null} />
    </FactSection>
  );
}

function visaTypeText(code: string | null | undefined, catalogue: VisaCatalogue | undefined) {
  const found = code && catalogue ? findVisaType(catalogue, code) : null;
  if (!found) return code;
  const { visaType, isRetired } = found;
  return isRetired
    ? `${code} · no longer issued, now ${visaType.code} · ${visaType.label}`
    : `${code} · ${visaType.label}`;
}
