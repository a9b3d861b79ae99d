import { expect, test } from 'vitest';
import { limitText, visaUpload } from './visaUpload';

const form = visaUpload({
  max_bytes: 5 * 1024 * 1024,
  media_types: ['application/pdf', 'image/jpeg', 'image/webp'],
});
function fileOf(name: string, type: string, bytes = 10): File {
  const file = new File(['%PDF-1.7'], name, { type });
  Object.defineProperty(file, 'size', { value: bytes });
  return file;
}

function complaintsOf(fields: object): string[] {
  const { error } = form.safeParse({
    file: fileOf('v.pdf', 'application/pdf'),
    ...fields,
  });
  return error?.issues.map(({ message }) => message) ?? [];
}

test('a PDF or an image up to the limit of the server may be sent', () => {
  expect(complaintsOf({})).toEqual([]);
  expect(complaintsOf({ file: fileOf('v.JPG', 'image/jpeg', 5 * 1024 * 1024) })).toEqual([]);
  expect(complaintsOf({ file: fileOf('v.WEBP', '') })).toEqual([]);
  expect(complaintsOf({ file: fileOf('v.pdf', 'application/pdf', 1) })).toEqual([]);
});

test('a file that the server would refuse is not sent', () => {
  const only = ['Only PDF or image files are allowed'];
  expect(complaintsOf({ file: fileOf('v.svg', 'image/svg+xml') })).toEqual(only);
  expect(complaintsOf({ file: fileOf('v.heic', 'image/heic') })).toEqual(only);
  expect(complaintsOf({ file: fileOf('v.docx', '') })).toEqual(only);
  expect(complaintsOf({ file: fileOf('v.pdf', 'application/pdf', 0) })).toEqual([
    'The file is empty',
  ]);
  expect(complaintsOf({ file: fileOf('v.pdf', 'application/pdf', 5 * 1024 * 1024 + 1) })).toEqual([
    'The file is larger than 5 MB. Please make it smaller first',
  ]);
});

test('the limit is written in units of 1,024', () => {
  expect(limitText(100 * 1024 * 1024)).toBe('100 MB');
  expect(limitText(1.5 * 1024 * 1024)).toBe('1.5 MB');
});

test('a file is required', () => {
  expect(complaintsOf({ file: null })).toEqual(['File is required']);
});
