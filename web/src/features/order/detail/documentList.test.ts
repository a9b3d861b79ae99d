import { expect, test } from 'vitest';
import { catalogue, storedFile } from '@/testing/orderDetails';
import { documentList, findVisaType, missingDocuments } from './documentList';

const visaType = (code: string) => findVisaType(catalogue, code)?.visaType ?? null;

test('the passport and the photo of the application form count as the documents asked for', () => {
  const files = [storedFile('passport_picture'), storedFile('upload_picture')];
  const list = documentList(files, visaType('C1'), catalogue);
  expect(missingDocuments(list).map(({ label }) => label)).toEqual([
    'Bank statement (minimum USD 2000)',
  ]);
});

test('what only some need is never missing, and says who needs it', () => {
  const list = documentList([], visaType('C1'), catalogue);
  expect(list.find(({ key }) => key === 'guarantor_letter')).toMatchObject({
    need: 'conditional',
    when: 'traveller has no national passport',
    file: null,
  });
  expect(missingDocuments(list).map(({ key }) => key)).not.toContain('guarantor_letter');
});

test('the newest file of a kind is shown, and the earlier ones counted', () => {
  const files = [
    storedFile('bank_statement', { original_name: 'old.pdf' }),
    storedFile('bank_statement', { original_name: 'new.pdf' }),
  ];
  const statement = documentList(files, visaType('C1'), catalogue).find(
    ({ key }) => key === 'bank_statement',
  );
  expect(statement).toMatchObject({ file: { original_name: 'new.pdf' }, earlier: 1 });
});

test('a file that nobody asked for is listed too, once', () => {
  const files = [storedFile('curriculum_vitae'), storedFile('curriculum_vitae')];
  const extra = documentList(files, visaType('C1'), catalogue).filter(
    ({ need }) => need === 'extra',
  );
  expect(extra).toMatchObject([{ key: 'curriculum_vitae', label: 'Curriculum vitae' }]);
});

test('without a visa type nothing is asked for, and what is on file still shows', () => {
  const list = documentList([storedFile('bank_statement')], null, undefined);
  expect(list).toMatchObject([{ key: 'bank_statement', label: 'Bank statement', need: 'extra' }]);
});

test('a higher minimum than the label says is told', () => {
  const [statement] = documentList([], visaType('D12'), catalogue);
  expect(statement?.note).toBe('Of the last 3 months, at least USD 5,000 for D12.');
});

test('a code that is issued no more stands for what replaced it', () => {
  expect(findVisaType(catalogue, 'C2X')).toMatchObject({
    visaType: { code: 'C1' },
    isRetired: true,
  });
  expect(findVisaType(catalogue, 'Z9')).toBeNull();
});
