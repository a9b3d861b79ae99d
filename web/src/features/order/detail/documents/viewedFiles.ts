import type { OrderDetails } from '@/api/types';
import { isDelivered } from './visaUpload';

/** A file as the viewer shows it. */
export interface ViewedFile {
  file1: string;
  label: string;
  link: string;
  isPdf: boolean;
}

/** The kinds that are shown first. */
const FIRST = ['passport_picture', 'upload_picture'];

/**
 * The order's files in the sequence of checking: passport, photo, the documents of the visa
 * type, other files, and the issued visas. Newest first within each kind.
 */
export function viewedFiles(
  order: Pick<OrderDetails, 'documents' | 'uploadDoc' | 'required_documents'>,
): ViewedFile[] {
  const kinds = new Set([
    ...FIRST,
    ...order.required_documents.map(({ kind }) => kind),
    ...order.documents.map(({ kind }) => kind),
  ]);
  const given = [...kinds].flatMap((kind) =>
    order.documents.filter((file) => file.kind === kind).toReversed(),
  );
  const issued = order.uploadDoc.find(isDelivered);
  return [
    ...given.map((file) =>
      viewed(file, file.label, given.find(({ kind }) => kind === file.kind) === file),
    ),
    ...order.uploadDoc.map((visa) => {
      if (visa.is_withdrawn) return viewed(visa, 'Withdrawn visa', true);
      if (!isDelivered(visa)) return viewed(visa, 'Visa, not delivered yet', true);
      return viewed(visa, 'Issued visa', visa === issued);
    }),
  ];
}

function viewed(
  { file1, link }: { file1: string; link: string },
  label: string,
  isNewest: boolean,
): ViewedFile {
  return {
    file1,
    link,
    label: isNewest ? label : `${label}, earlier`,
    // The stored name has no file extension; the link has one.
    isPdf: link.split('?')[0]!.endsWith('.pdf'),
  };
}
