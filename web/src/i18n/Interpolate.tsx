import { Fragment, type ReactNode } from 'react';

/** A text with values in place of its `{name}` placeholders. */
export function Interpolate({ text, values }: { text: string; values: Record<string, ReactNode> }) {
  return text
    .split(/\{(\w+)\}/)
    .map((part, at) => <Fragment key={part}>{at % 2 === 0 ? part : values[part]}</Fragment>);
}
