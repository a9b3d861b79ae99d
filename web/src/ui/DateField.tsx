import { useRef, type KeyboardEvent } from 'react';
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import classes from './DateField.module.css';
import { dateText, dayOf, shifted, withDashes } from './dateText';
import { Field, FieldButton, type FieldProps } from './Field';
import { Icon } from './Icon';

interface DateFieldProps<Fields extends FieldValues> extends Pick<
  FieldProps,
  'label' | 'hint' | 'readOnly'
> {
  name: FieldPath<Fields>;
  control: Control<Fields>;
  /** Called after the day has changed. */
  onPick?: () => void;
  /** The field whose validity depends on this one. */
  deps?: FieldPath<Fields>;
}

/**
 * A day, written DD-MM-YYYY as on every screen whatever the browser's language. The value is the ISO day, or the typed text
 * while that is none: the form's schema checks it with `isDayOrEmpty`. The arrows step by a day, and a button opens the browser's calendar.
 */
export function DateField<Fields extends FieldValues>(props: DateFieldProps<Fields>) {
  const { name, control, deps, onPick, ...shell } = props;
  const {
    field: { ref, ...field },
    fieldState,
  } = useController<Fields>({ name, control, rules: { deps } });
  const calendar = useRef<HTMLInputElement>(null);
  const value = field.value as string;
  const day = dayOf(value);
  const change = (text: string) => {
    field.onChange(dayOf(text) ?? text);
    onPick?.();
  };
  const step = (event: KeyboardEvent) => {
    const days = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (days === undefined || day === null || shell.readOnly) return;
    event.preventDefault();
    change(shifted(day, days));
  };
  return (
    <Field
      {...shell}
      ref={ref}
      name={field.name}
      value={dateText(value)}
      inputMode="numeric"
      placeholder="DD-MM-YYYY"
      error={fieldState.error?.message}
      onBlur={field.onBlur}
      onKeyDown={step}
      onChange={({ target, nativeEvent }) => {
        const isAtEnd = target.selectionStart === target.value.length;
        const isTyped = (nativeEvent as InputEvent).inputType?.startsWith('delete') !== true;
        change(isAtEnd && isTyped ? withDashes(target.value) : target.value);
      }}
      inside={
        <>
          <input
            ref={calendar}
            type="date"
            className={classes.native}
            tabIndex={-1}
            value={day ?? ''}
            onChange={({ target }) => change(target.value)}
          />
          <FieldButton
            aria-label="Open calendar"
            disabled={shell.readOnly}
            onClick={() => calendar.current?.showPicker()}
          >
            <Icon>
              <path d="M2.5 4h11v9.5h-11zM2.5 7.5h11M5.5 2v3M10.5 2v3" />
            </Icon>
          </FieldButton>
        </>
      }
    />
  );
}
