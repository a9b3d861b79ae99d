import { expect, test } from 'vitest';
import { sizeText } from '@/ui/numbers';
import { mediaTypeText, processingModeText } from './format';

test('sizes are formatted in steps of a thousand', () => {
  expect(sizeText(986)).toBe('986 B');
  expect(sizeText(1_000)).toBe('1 kB');
  expect(sizeText(100_400)).toBe('100 kB');
  expect(sizeText(1_000_000)).toBe('1 MB');
  expect(sizeText(4816)).toBe('4.8 kB');
  expect(sizeText(230_111)).toBe('230 kB');
  expect(sizeText(1_843_221)).toBe('1.8 MB');
});

test('media types are formatted in words', () => {
  expect(mediaTypeText('application/pdf')).toBe('PDF');
  expect(mediaTypeText('image/jpeg')).toBe('JPEG image');
});

test('regular processing is called standard processing', () => {
  expect(processingModeText('Regular Processing')).toBe('Standard Processing');
  expect(processingModeText('Priority Processing')).toBe('Priority Processing');
});
