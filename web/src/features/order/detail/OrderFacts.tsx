import type { OrderDetails } from '@/api/types';
import { Time } from '@/ui/Time';
import { formatMoney } from '@/ui/numbers';
import { DateFact, Fact, FactNote, FactSection } from './Fact';
import { processingModeText } from './format';

/** The order, its processing and its payment. */
export function orderFacts(order: OrderDetails, zone: string) {
  const { payment } = order;
  return (
    <FactSection title="Order Details">
      <Fact label="Order Id" text={order.order_id} />
      <Fact label="Application Email Address" text={order.application_email_address} copied />
      <Fact label="Contact Email" text={order.contact_email_address} copied />
      <Fact label="Processing Mode" text={processingModeText(order.processing_mode)} />
      {order.processing_date && <DateFact label="Processing Date" date={order.processing_date} />}
      <Fact label="Signature Name" text={order.signature_name} />
      {payment && (
        <Fact label="Payment">
          <span>{formatMoney(payment.amount_minor, payment.currency)}</span> · {payment.gateway}
          {payment.card_brand && ` · ${payment.card_brand}`}
          {payment.card_last_four && ` ••••\u00A0${payment.card_last_four}`}
          <FactNote>
            <Time iso={payment.paid_at} zone={zone} /> · <bdi>{payment.payment_reference}</bdi>
          </FactNote>
        </Fact>
      )}
      {order.merchant_name && <Fact label="Merchant Name" text={order.merchant_name} />}
      {order.transaction_id && <Fact label="Transaction Id" text={order.transaction_id} copied />}
      {order.external_reference && (
        <Fact label="Sales Site Reference" text={order.external_reference} copied />
      )}
    </FactSection>
  );
}

/** The evidence that the sales site recorded at checkout. */
export function checkoutFacts({ checkout }: OrderDetails, zone: string) {
  if (!checkout) return null;
  const accepted = checkout.terms_accepted_at;
  return (
    <FactSection title="Checkout Evidence" folds>
      <Fact label="Purchase IP" text={checkout.purchase_ip?.replace(/^::ffff:/i, '')} />
      <Fact label="Device Id" text={checkout.device_id} />
      <Fact label="User Agent" text={checkout.user_agent} />
      <Fact label="3-D Secure" text={checkout.three_d_secure} />
      <Fact label="Terms Version" text={checkout.terms_version} />
      {accepted ? (
        <Fact label="Terms Accepted">
          <Time iso={accepted} zone={zone} />
        </Fact>
      ) : (
        <Fact label="Terms Accepted" />
      )}
    </FactSection>
  );
}
