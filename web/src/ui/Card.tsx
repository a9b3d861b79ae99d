import type { ComponentProps, FunctionComponent } from 'react';
import classes from './Card.module.css';

type CardTag = 'div' | 'section' | 'form';

type CardProps<Tag extends CardTag> = ComponentProps<Tag> & {
  /** The element; a `div` unless it is said. */
  as?: Tag;
};

/** A framed part of a screen. Its content brings the padding. */
export function Card<Tag extends CardTag = 'div'>({ as, className, ...card }: CardProps<Tag>) {
  const Element = (as ?? 'div') as unknown as FunctionComponent<object>;
  return <Element {...card} {...{ className: [classes.card, className].join(' ').trimEnd() }} />;
}
