import type { ComponentProps, MouseEvent } from 'react';
import { Link, type LinkProps } from 'react-router';
import classes from './Button.module.css';

/**
 * `primary` is the next step, `danger` loses something, `delete` does so in each row of a list, `quiet` is done already, `text` looks
 * like a link, `bare` has no frame.
 */
export type ButtonKind = 'primary' | 'danger' | 'delete' | 'quiet' | 'text' | 'bare';

interface ButtonLook {
  kind?: ButtonKind | undefined;
  /** For dense places, such as list rows. */
  small?: boolean;
  /** As wide as it is tall, for an icon. */
  square?: boolean;
}

type Unstyled<Props> = Omit<Props, 'className' | 'style'>;

export interface ButtonProps extends ButtonLook, Unstyled<ComponentProps<'button'>> {
  /** Ignores clicks and keeps the focus, for example while the last click is being sent. */
  busy?: boolean;
  /** Takes the focus when it appears, or when its dialog opens. */
  focusFirst?: boolean;
}

/** A button; a native element alone, because a list has hundreds. */
export function Button(props: ButtonProps) {
  const { kind, small, square, busy, focusFirst, type = 'button', onClick, ...button } = props;
  return (
    <button
      {...button}
      {...lookOf({ kind, small, square })}
      type={type}
      aria-disabled={busy}
      {...(focusFirst && { ref: takeFocus, 'data-autofocus': true })}
      onClick={busy ? ignore : onClick}
    />
  );
}

// In a dialog that is about to open, nothing takes the focus yet: `Modal` gives it.
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

/** A link to another screen that looks like a button. */
export function ButtonLink({ kind, small, square, ...link }: ButtonLook & Unstyled<LinkProps>) {
  return <Link {...link} {...lookOf({ kind, small, square })} />;
}

/** A link out of the app, such as to a file, that looks like a button. */
export function ButtonAnchor(props: ButtonLook & Unstyled<ComponentProps<'a'>>) {
  const { kind, small, square, children, ...anchor } = props;
  return (
    <a {...anchor} {...lookOf({ kind, small, square })}>
      {children}
    </a>
  );
}

function lookOf({ kind, small, square }: ButtonLook) {
  return {
    className: classes.button,
    'data-kind': kind,
    'data-small': small || undefined,
    'data-square': square || undefined,
  };
}

/** Prevents a submission too. */
function ignore(event: MouseEvent) {
  event.preventDefault();
}
