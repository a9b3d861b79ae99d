import { expect, test } from 'vitest';
import type { OrderDetails, StoredFile } from '@/api/types';
import { asked, storedFile } from '@/testing/orderDetails';
import { documentList, missingDocuments, pictureOf } from './documentList';

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
  expect(list.map(({ kind, isMissing, file }) => [kind, isMissing, file !== null])).toEqual([
    ['passport_picture', false, true],
    ['bank_statement', true, false],
    ['guarantor_letter', false, false],
    ['curriculum_vitae', false, true],
  ]);
});

test('a passport stored under its catalogue name counts as well', () => {
  const order = orderWith(storedFile('passport'));
  const [passport, ...others] = documentList(order);
  expect(passport).toMatchObject({ kind: 'passport_picture', file: { kind: 'passport' } });
  // It is not one of the other files, too.
  expect(others.map(({ kind }) => kind)).toEqual(['bank_statement', 'guarantor_letter']);
});

test('a conditional document is never missing and shows its condition', () => {
  const order = orderWith();
  expect(documentList(order).find(({ kind }) => kind === 'guarantor_letter')).toMatchObject({
    when: 'traveller has no national passport',
    isMissing: false,
    file: null,
    earlier: 0,
  });
  expect(missingDocuments(order).map(({ kind }) => kind)).toEqual([
    'passport_picture',
    'bank_statement',
  ]);
});

test('only a required document is missing, and the server alone says whether it is on file', () => {
  const order = {
    documents: [storedFile('bank_statement')],
    required_documents: [
      asked('bank_statement', false),
      asked('passport_picture', true),
      asked('guarantor_letter', false, { required: false }),
    ],
  };
  expect(documentList(order).map(({ isMissing }) => isMissing)).toEqual([true, false, false]);
  expect(missingDocuments(order).map(({ kind }) => kind)).toEqual(['bank_statement']);
});

const picture = (order: Parameters<typeof pictureOf>[0]) =>
  pictureOf(order, 'passport_picture', 'Travel document');

test('a picture of the form is missing when the visa type requires it and the server has none', () => {
  expect(picture(orderWith())).toMatchObject({ isMissing: true, file: null });
  expect(picture({ documents: [], required_documents: [] })).toMatchObject({ isMissing: false });
  const given = picture({
    documents: [storedFile('passport')],
    required_documents: [asked('passport_picture', true)],
  });
  expect(given).toMatchObject({
    label: 'Travel document',
    isMissing: false,
    file: { kind: 'passport' },
  });
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
    { kind: 'curriculum_vitae', label: 'Curriculum vitae', isMissing: false },
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
