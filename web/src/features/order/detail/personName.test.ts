import { expect, test } from 'vitest';
import { personName } from './personName';

test('underscores become spaces and each word begins with a capital', () => {
  expect(personName('emily_rose_clarke')).toBe('Emily Rose Clarke');
  expect(personName('  anne-marie__de  la cruz ')).toBe('Anne-Marie De La Cruz');
});

test('existing capitals are kept', () => {
  expect(personName('Ronan_McCarthy')).toBe('Ronan McCarthy');
  expect(personName('WANG_XIAOMING')).toBe('WANG XIAOMING');
});

test('accented letters and other alphabets are capitalised', () => {
  expect(personName('élodie_ångström')).toBe('Élodie Ångström');
  expect(personName('иван_петров')).toBe('Иван Петров');
});

test('scripts without capitals are left unchanged', () => {
  for (const name of [
    'محمد عبد الرحمن',
    '王小明',
    'สมชาย ใจดี',
    'अर्जुन शर्मा',
    'ნინო ბერიძე',
    '田中 ひな',
  ]) {
    expect(personName(name)).toBe(name);
  }
});
