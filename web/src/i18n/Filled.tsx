import { Fragment, type ReactNode } from 'react';

/** A text with something in the place of its `{name}`. */
export function Filled({ text, values }: { text: string; values: Record<string, ReactNode> }) {
  return text
    .split(/\{(\w+)\}/)
    .map((part, at) => <Fragment key={part}>{at % 2 === 0 ? part : values[part]}</Fragment>);
}
