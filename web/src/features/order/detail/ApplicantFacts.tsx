import type { OrderDetails } from '@/api/types';
import { CopyButton } from '@/ui/CopyButton';
import { Chip } from '@/ui/Chip';
import { breakable, DateFact, Fact, FactSection } from './Fact';
import { originalOf, valueOf, type OnCorrect } from './corrections/correctedFields';
import classes from './ApplicantFacts.module.css';
import { personName } from './personName';
import { phoneOf } from '../phone';

/** Returns the facts about the traveller and the contact data. */
export function personFacts(order: OrderDetails, onWrite: () => void, onCorrect?: OnCorrect) {
  const name = personName(order.full_name);
  const email = order.contact_email_address;
  const account = order.user.email;
  const isOwnAccount = account && account.toLowerCase() !== email.toLowerCase();
  return (
    <FactSection
      title="Personal and Contact Information"
      onCorrect={onCorrect && (() => onCorrect('Personal and Contact Information'))}
    >
      <Fact label="Full Name" text={name} original={originalOf(order, 'full_name')} copied />
      <Fact label="Sex" text={order.sex} original={originalOf(order, 'sex')} />
      <Fact
        label="Place of Birth"
        text={order.place_of_birth}
        original={originalOf(order, 'place_of_birth')}
      />
      <DateFact
        label="Date of Birth"
        date={order.date_of_birth}
        original={originalOf(order, 'date_of_birth')}
      />
      <Fact label="Email" text={email} original={originalOf(order, 'contact_email_address')} copied>
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>
          <bdi>{breakable(email)}</bdi>
        </a>
      </Fact>
      {isOwnAccount && <Fact label="Account Email" text={account} copied />}
      {phoneFact(order, onWrite)}
    </FactSection>
  );
}

function phoneFact(order: OrderDetails, onWrite: () => void) {
  const sent = originalPhone(order);
  if (!order.telephone) return <Fact label="Phone" original={sent} />;
  const { shown, dialled, digits } = order.telephone;
  return (
    <Fact label="Phone" original={sent}>
      <a href={`tel:${dialled}`}>
        <bdi dir="ltr">{shown}</bdi>
      </a>
      <CopyButton text={shown} what="Phone" />
      {digits && (
        <button type="button" className={classes.whatsapp} onClick={onWrite}>
          WhatsApp
        </button>
      )}
    </Fact>
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

/** The passport or other paper that the visa is for. */
export function passportFacts(order: OrderDetails, onCorrect?: OnCorrect) {
  return (
    <FactSection
      title="Document Information"
      onCorrect={onCorrect && (() => onCorrect('Document Information'))}
    >
      <Fact
        label="Document Type"
        text={order.document_type}
        original={originalOf(order, 'document_type')}
      />
      <Fact
        label="Document Number"
        text={order.document_number}
        original={originalOf(order, 'document_number')}
        copied
      />
      <Fact
        label="Nationality"
        text={order.nationality}
        original={originalOf(order, 'nationality')}
      />
      <DateFact
        label="Date of Expiry"
        date={order.date_of_expiry}
        original={originalOf(order, 'date_of_expiry')}
      >
        {order.document_expired && <Chip tone="danger">Expired</Chip>}
      </DateFact>
      <Fact
        label="Issuing Place"
        text={order.issuing_place}
        original={originalOf(order, 'issuing_place')}
      />
    </FactSection>
  );
}

/** Where the traveller stays. */
export function addressFacts(order: OrderDetails, onCorrect?: OnCorrect) {
  return (
    <FactSection
      title="Address in Indonesia"
      onCorrect={onCorrect && (() => onCorrect('Address in Indonesia'))}
    >
      <Fact
        label="Residence Type"
        text={order.residence_type}
        original={originalOf(order, 'residence_type')}
      />
      <Fact label="Address" text={order.address} original={originalOf(order, 'address')} />
      <Fact
        label="Postal Code"
        text={order.postal_code}
        original={originalOf(order, 'postal_code')}
      />
      <Fact label="Province" text={order.province} original={originalOf(order, 'province')} />
      <Fact label="City" text={order.city} original={originalOf(order, 'city')} />
      <Fact label="District" text={order.district} original={originalOf(order, 'district')} />
      <Fact label="Village" text={order.village} original={originalOf(order, 'village')} />
      <Fact
        label="Immigration Office"
        text={order.immigration_office}
        original={originalOf(order, 'immigration_office')}
      />
    </FactSection>
  );
}
