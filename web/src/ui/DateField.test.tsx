import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { expect, test, vi } from 'vitest';
import { DateField } from './DateField';

const picked = vi.fn<() => void>();

function Days() {
  const { control, watch } = useForm({ defaultValues: { day: '2026-12-31' } });
  return (
    <>
      <DateField label="Last day" name="day" control={control} onPick={picked} />
      <output>{watch('day')}</output>
    </>
  );
}

const open = () => {
  render(<Days />);
  return {
    user: userEvent.setup(),
    field: screen.getByLabelText('Last day'),
    value: screen.getByRole('status'),
  };
};

test('a day is shown day first, typed without dashes and stored as an ISO day', async () => {
  const { user, field, value } = open();
  expect(field).toHaveValue('31-12-2026');
  await user.clear(field);
  expect(value).toHaveTextContent('');
  await user.type(field, '05022027');
  expect(field).toHaveValue('05-02-2027');
  expect(value).toHaveTextContent('2027-02-05');
  expect(picked).toHaveBeenCalled();
});

test('a text that is no day stays as it was typed', async () => {
  const { user, field, value } = open();
  await user.clear(field);
  await user.type(field, '31022027');
  expect(field).toHaveValue('31-02-2027');
  expect(value).toHaveTextContent('31-02-2027');
});

test('a dash can be deleted', async () => {
  const { user, field } = open();
  await user.clear(field);
  await user.type(field, '31');
  expect(field).toHaveValue('31-');
  await user.keyboard('{Backspace}');
  expect(field).toHaveValue('31');
});

test('the arrows step by a day', async () => {
  const { user, field, value } = open();
  await user.click(field);
  await user.keyboard('{ArrowUp}');
  expect(value).toHaveTextContent('2027-01-01');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(value).toHaveTextContent('2026-12-30');
});

test('the button opens the calendar of the browser', async () => {
  const { user } = open();
  const shows = vi.fn<() => void>();
  HTMLInputElement.prototype.showPicker = shows;
  await user.click(screen.getByRole('button', { name: 'Open calendar' }));
  expect(shows).toHaveBeenCalledOnce();
});
