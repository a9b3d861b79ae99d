import type { StoredFile, VisaCatalogue, VisaType } from '@/api/types';

/** A document of an order, held against what the catalogue asks for. */
export interface ListedDocument {
  key: string;
  label: string;
  /** What the document must be. */
  note?: string;
  /** When it is needed; absent when everybody needs it. */
  when?: string;
  need: 'required' | 'conditional' | 'extra';
  /** The newest of its files, null when none is on file. */
  file: StoredFile | null;
  /** How many files of the document came before. */
  earlier: number;
}

/** The kinds under which the application form stores what the catalogue calls otherwise. */
const STORED_AS: Record<string, string> = {
  passport: 'passport_picture',
  recent_photo: 'upload_picture',
};

/** The chosen visa type, and what older orders call by a code that is issued no more. */
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

/** The newest file of a kind, and how many came before it. `files` begins with the oldest. */
export function newestFile(
  files: readonly StoredFile[],
  ...kinds: string[]
): Pick<ListedDocument, 'file' | 'earlier'> {
  const all = files.filter(({ kind }) => kinds.includes(kind));
  return { file: all.at(-1) ?? null, earlier: Math.max(0, all.length - 1) };
}

/**
 * What the visa type asks for, those for everybody first, and then what else the applicant gave.
 * Without a visa type nothing is asked for.
 */
export function documentList(
  files: readonly StoredFile[],
  visaType: VisaType | null,
  catalogue: VisaCatalogue | undefined,
): ListedDocument[] {
  const documents = catalogue?.documents ?? {};
  const listed = (key: string, need: ListedDocument['need'], when?: string): ListedDocument => ({
    key,
    label: documents[key]?.label ?? asWords(key),
    note: fundsNote(key, visaType) ?? documents[key]?.note ?? undefined,
    when,
    need,
    ...newestFile(files, key, STORED_AS[key] ?? key),
  });
  const asked = [
    ...(visaType?.documents.map((key) => listed(key, 'required')) ?? []),
    ...(visaType?.documents_conditional?.map(({ key, when }) => listed(key, 'conditional', when)) ??
      []),
  ];
  const known = new Set([
    ...asked.flatMap(({ key }) => [key, STORED_AS[key]]),
    // These have a section of their own.
    ...Object.values(STORED_AS),
  ]);
  const extra = new Set(files.map(({ kind }) => kind).filter((kind) => !known.has(kind)));
  return [...asked, ...[...extra].map((kind) => listed(kind, 'extra'))];
}

/** The documents that everybody needs and that are not on file. */
export function missingDocuments(list: readonly ListedDocument[]): ListedDocument[] {
  return list.filter(({ need, file }) => need === 'required' && file === null);
}

/** The label of a bank statement names the usual minimum; some visa types ask for more. */
function fundsNote(key: string, visaType: VisaType | null): string | undefined {
  const funds = visaType?.min_funds_usd;
  if (key !== 'bank_statement' || !funds) return undefined;
  return `Of the last 3 months, at least USD ${funds.toLocaleString('en')} for ${visaType.code}.`;
}

function asWords(key: string): string {
  const words = key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
