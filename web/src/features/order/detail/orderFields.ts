import type { OrderDetails } from '@/api/types';

/** A field of an order, for the screens that show, correct and enter it. */
export interface OrderField {
  name: FieldName;
  label: string;
  kind?: 'date' | 'number' | 'email';
  /** The order's screen has a button that copies it. */
  copied?: true;
  /** The order's screen shows it within another field. */
  isPart?: true;
}

export type FieldName = Exclude<
  {
    [Key in keyof OrderDetails]: OrderDetails[Key] extends string | number | null | undefined
      ? Key
      : never;
  }[keyof OrderDetails],
  undefined
>;

/** Fields by their names, as typed. */
export type FieldValuesByName = Partial<Record<FieldName, string>>;

/**
 * The fields of an order by the title of their section. A field that is added here is shown, corrected and entered by phone;
 * `OrderFacts.tsx` shows some in their own way.
 */
export const SECTIONS = {
  'Personal and Contact Information': [
    { name: 'full_name', label: 'Full Name', copied: true },
    { name: 'first_name', label: 'First Name', isPart: true },
    { name: 'middle_name', label: 'Middle Name', isPart: true },
    { name: 'last_name', label: 'Last Name', isPart: true },
    { name: 'sex', label: 'Sex' },
    { name: 'place_of_birth', label: 'Place of Birth' },
    { name: 'date_of_birth', label: 'Date of Birth', kind: 'date' },
    { name: 'contact_email_address', label: 'Email', kind: 'email', copied: true },
    { name: 'country_code', label: 'Country Code', kind: 'number', isPart: true },
    { name: 'phone_number', label: 'Phone' },
  ],
  'Visa Type Information': [
    { name: 'passport_from', label: 'Passport Country' },
    { name: 'main_purpose_of_visit', label: 'Main Purpose of Visit' },
    { name: 'sub_purpose_of_visit', label: 'Sub Purpose' },
    { name: 'visa_type', label: 'Visa Type' },
    { name: 'stay_day', label: 'Planned Stay (days)', kind: 'number' },
    { name: 'arrival_date', label: 'Arrival Date', kind: 'date' },
  ],
  'Document Information': [
    { name: 'document_type', label: 'Document Type' },
    { name: 'document_number', label: 'Document Number', copied: true },
    { name: 'nationality', label: 'Nationality' },
    { name: 'date_of_expiry', label: 'Date of Expiry', kind: 'date' },
    { name: 'issuing_place', label: 'Issuing Place' },
  ],
  'Address in Indonesia': [
    { name: 'residence_type', label: 'Residence Type' },
    { name: 'address', label: 'Address' },
    { name: 'postal_code', label: 'Postal Code' },
    { name: 'province', label: 'Province' },
    { name: 'city', label: 'City' },
    { name: 'district', label: 'District' },
    { name: 'village', label: 'Village' },
    { name: 'immigration_office', label: 'Immigration Office' },
  ],
} as const satisfies Record<string, readonly OrderField[]>;

export type SectionTitle = keyof typeof SECTIONS;

/** Fields that are kept as they were sent, and not corrected together with others. */
const OTHER_LABELS: Record<string, string> = {
  processing_date: 'Processing Date',
  purchase_ip: 'Purchase IP',
  terms_accepted_at: 'Terms accepted',
  signature_name: 'Signature',
  'user.email': 'Account Email',
  user: 'Account',
};

/** The label of a field for people; the name of a field that no screen shows. */
export function labelOf(name: string): string {
  return (
    Object.values(SECTIONS)
      .flat()
      .find((field) => field.name === name)?.label ??
    OTHER_LABELS[name] ??
    name
  );
}

/** The field's value as text; empty: none. */
export function valueOf(order: OrderDetails, name: FieldName): string {
  return String(order[name] ?? '');
}

/**
 * Returns the value that the customer sent in a field that was corrected since; null: nothing,
 * undefined: the field is as the customer sent it.
 */
export function originalOf(order: OrderDetails, name: FieldName): string | null | undefined {
  const original = order.originals[name];
  return original === undefined || (original ?? '') === valueOf(order, name) ? undefined : original;
}
