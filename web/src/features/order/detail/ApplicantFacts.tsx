import type { OrderDetails } from '@/api/types';
import { CopyButton } from '@/ui/CopyButton';
import { Chip } from '@/ui/Chip';
import { breakable, DateFact, Fact, FactSection } from './Fact';
import classes from './ApplicantFacts.module.css';
import { personName } from './personName';
import { phoneOf, whatsappLink } from '../phone';

/** Who travels, and how they are reached. */
export function personFacts(order: OrderDetails) {
  const name = personName(order.full_name);
  const email = order.contact_email_address;
  const account = order.user.email;
  const isOwnAccount = account && account.toLowerCase() !== email.toLowerCase();
  return (
    <FactSection title="Personal and Contact Information">
      <Fact label="Full Name" text={name} copied />
      <Fact label="Sex" text={order.sex} />
      <Fact label="Place of Birth" text={order.place_of_birth} />
      <DateFact label="Date of Birth" date={order.date_of_birth} />
      <Fact label="Email" text={email} copied>
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
          <bdi>{breakable(email)}</bdi>
        </a>
      </Fact>
      {isOwnAccount && <Fact label="Account Email" text={account} copied />}
      {phoneFact(order)}
    </FactSection>
  );
}

function phoneFact(order: OrderDetails) {
  const phone = phoneOf(order.country_code, order.phone_number);
  if (!phone) return <Fact label="Phone" />;
  const { text, dialled, international } = phone;
  return (
    <Fact label="Phone">
      <a href={`tel:${dialled}`}>
        <bdi dir="ltr">{text}</bdi>
      </a>
      <CopyButton text={text} what="Phone" />
      {international && (
        <a
          className={classes.whatsapp}
          href={whatsappLink(international, `Your visa application ${order.order_number}: `)}
          target="_blank"
          rel="noopener noreferrer"
        >
          WhatsApp
        </a>
      )}
    </Fact>
  );
}

/** The passport or other paper that the visa is for. */
export function passportFacts(order: OrderDetails) {
  return (
    <FactSection title="Document Information">
      <Fact label="Document Type" text={order.document_type} />
      <Fact label="Document Number" text={order.document_number} copied />
      <Fact label="Nationality" text={order.nationality} />
      <DateFact label="Date of Expiry" date={order.date_of_expiry}>
        {order.document_expired && <Chip tone="danger">Expired</Chip>}
      </DateFact>
      <Fact label="Issuing Place" text={order.issuing_place} />
    </FactSection>
  );
}

/** Where the traveller stays. */
export function addressFacts(order: OrderDetails) {
  return (
    <FactSection title="Address in Indonesia">
      <Fact label="Residence Type" text={order.residence_type} />
      <Fact label="Address" text={order.address} />
      <Fact label="Postal Code" text={order.postal_code} />
      <Fact label="Province" text={order.province} />
      <Fact label="City" text={order.city} />
      <Fact label="District" text={order.district} />
      <Fact label="Village" text={order.village} />
      <Fact label="Immigration Office" text={order.immigration_office} />
    </FactSection>
  );
}
