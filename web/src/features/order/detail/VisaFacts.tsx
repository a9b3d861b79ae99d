import type { OrderDetails } from '@/api/types';
import { Fact, FactSection } from './Fact';

/** Which visa was applied for. */
export function visaFacts(order: OrderDetails) {
  const days = order.stay_day;
  return (
    <FactSection title="Visa Type Information">
      <Fact label="Passport Country" text={order.passport_from} />
      <Fact label="Main Purpose of Visit" text={order.main_purpose_of_visit} />
      <Fact label="Sub Purpose" text={order.sub_purpose_of_visit} />
      <Fact label="Visa Type" text={visaTypeText(order)} />
      <Fact label="Planned Stay" text={days ? `${days} ${days === 1 ? 'day' : 'days'}` : null} />
    </FactSection>
  );
}

function visaTypeText({ visa_type, issued_type }: OrderDetails) {
  if (!issued_type) return visa_type;
  const { code, label } = issued_type;
  return code === visa_type
    ? `${code} · ${label}`
    : `${visa_type} · no longer issued, now ${code} · ${label}`;
}
