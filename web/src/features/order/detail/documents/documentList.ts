import { formatCount } from '@/ui/numbers';
import type { OrderDetails, RequiredDocument, StoredFile } from '@/api/types';

/** A document of an order: one that its visa type asks for, or another file of the applicant. */
export interface ListedDocument {
  kind: string;
  label: string;
  /** The requirements for the document. */
  note?: string;
  /** When it is needed; absent when it is always needed. */
  when?: string;
  /** The visa type requires it, and the server has no file of it. */
  isMissing: boolean;
  /** Its newest file, null when none is on file. */
  file: StoredFile | null;
  /** The number of earlier files. */
  earlier: number;
}

/** The kinds of the two pictures of the application form, which have their own section. */
const OWN_SECTION = ['passport_picture', 'upload_picture'] as const;

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
): ListedDocument[] {
  const asked = order.required_documents.map((document): ListedDocument => {
    const { kind, catalogue_key, label, when } = document;
    return {
      kind,
      label,
      note: noteOf(document),
      when: when ?? undefined,
      isMissing: isMissing(document),
      ...newestFile(order.documents, kind, catalogue_key),
    };
  });
  const known = new Set<string>([
    ...order.required_documents.flatMap(({ kind, catalogue_key }) => [kind, catalogue_key]),
    ...OWN_SECTION,
  ]);
  const others = order.documents.filter(({ kind }) => !known.has(kind));
  const extra = new Map(others.map(({ kind, label }) => [kind, label]));
  for (const [kind, label] of extra) {
    asked.push({ kind, label, isMissing: false, ...newestFile(others, kind) });
  }
  return asked;
}

/** Returns one of the two pictures of the application form, as the visa type asks for it. */
export function pictureOf(
  order: Pick<OrderDetails, 'documents' | 'required_documents'>,
  kind: (typeof OWN_SECTION)[number],
  label: string,
): ListedDocument {
  const asked = order.required_documents.find((document) => document.kind === kind);
  const kinds = asked ? [kind, asked.catalogue_key] : [kind];
  const file = newestFile(order.documents, ...kinds);
  return { kind, label, isMissing: asked !== undefined && isMissing(asked), ...file };
}

/** The required documents that are not on file. */
export function missingDocuments({
  required_documents,
}: Pick<OrderDetails, 'required_documents'>): RequiredDocument[] {
  return required_documents.filter(isMissing);
}

const isMissing = ({ required, given }: RequiredDocument) => required && !given;

/**
 * Returns the content that the document must show. The label of a bank statement names the usual
 * minimum; some visa types ask for more.
 */
function noteOf({ min_funds_usd, note }: RequiredDocument): string | undefined {
  if (min_funds_usd) return `Of the last 3 months, at least USD ${formatCount(min_funds_usd)}.`;
  return note ?? undefined;
}
