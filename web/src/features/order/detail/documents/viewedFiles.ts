import type { OrderDetails } from '@/api/types';

/** A file as the viewer shows it. */
export interface ViewedFile {
  file1: string;
  label: string;
  link: string;
  isPdf: boolean;
}

/** What is looked at first. */
const FIRST = ['passport_picture', 'upload_picture'];

/**
 * The order's files in the order in which they are checked: passport, photo, what the visa type asks
 * for, the rest, and the issued visas. Of each kind the newest first.
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
  return [
    ...given.map((file) =>
      viewed(file, file.label, given.find(({ kind }) => kind === file.kind) === file),
    ),
    ...order.uploadDoc.map((visa, index) => viewed(visa, 'Issued visa', index === 0)),
  ];
}

/** What everybody must give and this applicant has not. */
export function missingLabels({ required_documents }: Pick<OrderDetails, 'required_documents'>) {
  return required_documents
    .filter(({ required, given }) => required && !given)
    .map(({ label }) => label);
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
    // The link has the ending, the stored name has none.
    isPdf: link.split('?')[0]!.endsWith('.pdf'),
  };
}
