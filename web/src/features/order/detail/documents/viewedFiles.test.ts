import { expect, test } from 'vitest';
import { asked, linkTo, storedFile } from '@/testing/orderDetails';
import { viewedFiles } from './viewedFiles';

const visa = (file1: string, is_withdrawn = false) => ({
  file1,
  link: linkTo(`${file1}.pdf`),
  customer_name: 'Emily Clarke',
  create_ts: '2026-11-20T02:00:00Z',
  is_withdrawn,
});

test('files are sorted in the order of checking, newest first within a kind', () => {
  const files = viewedFiles({
    documents: [
      storedFile('curriculum_vitae'),
      storedFile('bank_statement', { file1: 'old.pdf' }),
      storedFile('upload_picture', { file1: 'photo.jpg', label: 'Photo' }),
      storedFile('bank_statement', { file1: 'new.pdf' }),
      storedFile('passport_picture', { file1: 'passport.png', label: 'Travel document' }),
    ],
    required_documents: [asked('passport_picture', true), asked('bank_statement', true)],
    uploadDoc: [visa('withdrawn', true), visa('visa'), visa('former')],
  });
  expect(files.map(({ label, file1, isPdf }) => [label, file1, isPdf])).toEqual([
    ['Travel document', 'passport.png', false],
    ['Photo', 'photo.jpg', false],
    ['Bank statement (minimum USD 2000)', 'new.pdf', true],
    ['Bank statement (minimum USD 2000), earlier', 'old.pdf', true],
    ['Curriculum vitae', 'curriculum_vitae.pdf', true],
    ['Withdrawn visa', 'withdrawn', true],
    ['Issued visa', 'visa', true],
    ['Issued visa, earlier', 'former', true],
  ]);
});
