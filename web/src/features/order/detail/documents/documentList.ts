import { formatCount } from '@/ui/numbers';
import type { OrderDetails, StoredFile, VisaCatalogue, VisaType } from '@/api/types';

/** A document of an order, compared with the catalogue. */
export interface ListedDocument {
  kind: string;
  label: string;
  /** The requirements for the document. */
  note?: string;
  /** When it is needed; absent when it is always needed. */
  when?: string;
  need: 'required' | 'conditional' | 'extra';
  /** Its newest file, null when none is on file. */
  file: StoredFile | null;
  /** The number of earlier files. */
  earlier: number;
}

/** The kinds of the two pictures of the application form, which have their own section. */
const OWN_SECTION = ['passport_picture', 'upload_picture'];

/** The visa type of a code; for a retired code, its replacement. */
export function findVisaType(
  catalogue: VisaCatalogue,
  code: string,
): { visaType: VisaType; isRetired: boolean } | null {
  const find = (code: string) =>
    catalogue.purposes
      .flatMap((purpose) => purpose.sub_purposes)
      .flatMap((sub) => sub.visa_types)
      .find((visaType) => visaType.code === code);
  const current = find(code);
  if (current) return { visaType: current, isRetired: false };
  const retired = catalogue.retired_codes.find((retired) => retired.code === code);
  const successor = retired && find(retired.replaced_by);
  return successor ? { visaType: successor, isRetired: true } : null;
}

/** The newest file of a kind and the number of earlier ones. `files` is sorted oldest first. */
export function newestFile(
  files: readonly StoredFile[],
  ...kinds: string[]
): Pick<ListedDocument, 'file' | 'earlier'> {
  const all = files.filter(({ kind }) => kinds.includes(kind));
  return { file: all.at(-1) ?? null, earlier: Math.max(0, all.length - 1) };
}

/** The documents of the visa type, followed by the applicant's other files. */
export function documentList(
  order: Pick<OrderDetails, 'documents' | 'required_documents'>,
  visaType: VisaType | null,
  catalogue: VisaCatalogue | undefined,
): ListedDocument[] {
  const asked = order.required_documents.map((document): ListedDocument => {
    const { kind, label, required, catalogue_key: key } = document;
    return {
      kind,
      label,
      note: fundsNote(key, visaType) ?? catalogue?.documents[key]?.note ?? undefined,
      when: visaType?.documents_conditional?.find((document) => document.key === key)?.when,
      need: required ? 'required' : 'conditional',
      ...newestFile(order.documents, kind, key),
    };
  });
  const known = new Set([
    ...order.required_documents.flatMap(({ kind, catalogue_key }) => [kind, catalogue_key]),
    ...OWN_SECTION,
  ]);
  const others = order.documents.filter(({ kind }) => !known.has(kind));
  const extra = new Map(others.map(({ kind, label }) => [kind, label]));
  for (const [kind, label] of extra) {
    asked.push({ kind, label, need: 'extra', ...newestFile(others, kind) });
  }
  return asked;
}

/** The required documents that are not on file. */
export function missingDocuments(list: readonly ListedDocument[]): ListedDocument[] {
  return list.filter(({ need, file }) => need === 'required' && file === null);
}

/** The label of a bank statement names the usual minimum; some visa types ask for more. */
function fundsNote(key: string, visaType: VisaType | null): string | undefined {
  const funds = visaType?.min_funds_usd;
  if (key !== 'bank_statement' || !funds) return undefined;
  return `Of the last 3 months, at least USD ${formatCount(funds)} for ${visaType.code}.`;
}
