import { expect, test } from 'vitest';
import type { OrderDetails, StoredFile } from '@/api/types';
import { asked, storedFile } from '@/testing/orderDetails';
import { documentList, missingDocuments } from './documentList';

/** The details of an order with these files. */
function orderWith(
  ...documents: StoredFile[]
): Pick<OrderDetails, 'documents' | 'required_documents'> {
  const isGiven = (kind: string) => documents.some((file) => file.kind === kind);
  const required_documents = [
    asked('passport_picture', isGiven('passport_picture')),
    asked('bank_statement', isGiven('bank_statement')),
    asked('guarantor_letter', isGiven('guarantor_letter'), {
      required: false,
      when: 'traveller has no national passport',
    }),
  ];
  return { documents, required_documents };
}

test('the documents of the visa type come first, each with its file', () => {
  const order = orderWith(storedFile('curriculum_vitae'), storedFile('passport_picture'));
  const list = documentList(order);
  expect(list.map(({ kind, need, file }) => [kind, need, file !== null])).toEqual([
    ['passport_picture', 'required', true],
    ['bank_statement', 'required', false],
    ['guarantor_letter', 'conditional', false],
    ['curriculum_vitae', 'extra', true],
  ]);
});

test('a passport stored under its catalogue name counts as well', () => {
  const order = orderWith(storedFile('passport'));
  expect(documentList(order)[0]).toMatchObject({
    kind: 'passport_picture',
    file: { kind: 'passport' },
  });
});

test('a conditional document is never missing and shows its condition', () => {
  const list = documentList(orderWith());
  expect(list.find(({ kind }) => kind === 'guarantor_letter')).toMatchObject({
    when: 'traveller has no national passport',
    file: null,
  });
  expect(missingDocuments(list).map(({ kind }) => kind)).toEqual([
    'passport_picture',
    'bank_statement',
  ]);
});

test('the newest file of a kind is shown, and the earlier ones counted', () => {
  const order = orderWith(
    storedFile('bank_statement', { original_name: 'old.pdf' }),
    storedFile('bank_statement', { original_name: 'new.pdf' }),
  );
  const statement = documentList(order).find(({ kind }) => kind === 'bank_statement');
  expect(statement).toMatchObject({ file: { original_name: 'new.pdf' }, earlier: 1 });
});

test('a file that is not required is listed once, the pictures of the form not at all', () => {
  const documents = ['curriculum_vitae', 'curriculum_vitae', 'upload_picture'];
  const order = { documents: documents.map((kind) => storedFile(kind)), required_documents: [] };
  expect(documentList(order)).toMatchObject([
    { kind: 'curriculum_vitae', label: 'Curriculum vitae', need: 'extra' },
  ]);
});

test('a bank statement shows the minimum of the visa type, any other document its note', () => {
  const required_documents = [
    asked('bank_statement', false, { min_funds_usd: 5000, note: 'Shows the balance.' }),
    asked('bank_statement', false, { note: 'Shows the balance.' }),
    asked('curriculum_vitae', false),
  ];
  const notes = documentList({ documents: [], required_documents }).map(({ note }) => note);
  expect(notes).toEqual([
    'Of the last 3 months, at least USD 5,000.',
    'Shows the balance.',
    undefined,
  ]);
});
