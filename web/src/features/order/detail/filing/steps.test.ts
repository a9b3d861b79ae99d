import { expect, test } from 'vitest';
import type { FilingValue } from '@/api/types';
import { fieldAfter, fieldBeside, progressOf } from './steps';

const value = (field: string, value: string | null = field): FilingValue => ({
  field,
  label: field,
  value,
  note: null,
});

const VALUES = [value('name'), value('number'), value('type', null), value('sex'), value('city')];

test('the next value is the next one that is there and not copied', () => {
  expect(fieldAfter('name', VALUES, ['name'])).toBe('number');
  expect(fieldAfter('number', VALUES, ['name', 'number'])).toBe('sex');
  expect(fieldAfter('name', VALUES, ['name', 'number', 'sex'])).toBe('city');
});

test('after the last value comes the first one that was left out, and after all none', () => {
  expect(fieldAfter('city', VALUES, ['name', 'sex', 'city'])).toBe('number');
  expect(fieldAfter('city', VALUES, ['name', 'number', 'sex', 'city'])).toBeNull();
});

test('one steps over values that the order does not have, and stops at both ends', () => {
  expect(fieldBeside('number', 1, VALUES)).toBe('sex');
  expect(fieldBeside('sex', -1, VALUES)).toBe('number');
  expect(fieldBeside('city', 1, VALUES)).toBe('city');
  expect(fieldBeside('name', -1, VALUES)).toBe('name');
  expect(fieldBeside(null, 1, VALUES)).toBe('name');
  expect(fieldBeside(null, 1, [])).toBeNull();
});

test('the progress counts the values that are there', () => {
  expect(progressOf(VALUES, ['name', 'type', 'gone'])).toEqual({ done: 1, all: 4, missing: 1 });
});
