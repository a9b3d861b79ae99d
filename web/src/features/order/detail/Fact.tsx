import { Children, isValidElement, useState, type ReactElement, type ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { Folded } from '@/ui/Folded';
import { CopyButton } from '@/ui/CopyButton';
import { plainDate } from '@/ui/times';
import classes from './Fact.module.css';

interface FactProps {
  label: string;
  /** The stored value, in any script. */
  text?: string | number | null;
  /** Adds a button that copies `text`. */
  copied?: boolean;
  /** The value that the customer sent, if it was corrected; null: nothing. */
  original?: string | null | undefined;
  /** Shown in place of `text`. */
  children?: ReactNode;
}

/** Returns true if there is nothing to show: neither a text nor content. */
const isEmptyText = (text: FactProps['text']) => text === null || text === undefined || text === '';

/** A field of the order. */
export function Fact({ label, text, copied = false, original, children }: FactProps) {
  const isEmpty = children === undefined && isEmptyText(text);
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd className={copied ? classes.copied : undefined}>
        {isEmpty ? (
          <span className={classes.none}>-</span>
        ) : (
          (children ?? <bdi>{breakable(text)}</bdi>)
        )}
        {copied && text ? <CopyButton text={String(text)} what={label} /> : null}
        {original !== undefined && <Original text={original} />}
      </dd>
    </div>
  );
}

/** The value that the customer sent in a field that staff corrected. */
function Original({ text }: { text: string | null }) {
  return <FactNote>originally {text === null ? 'empty' : <bdi>{breakable(text)}</bdi>}</FactNote>;
}

/** A text whose line may break behind the sign of an email address, before it breaks inside words. */
export function breakable(text: FactProps['text']): ReactNode {
  const [name, domain, ...rest] = String(text).split('@');
  if (domain === undefined || rest.length > 0) return text;
  return (
    <>
      {name}@<wbr />
      {domain}
    </>
  );
}

interface DateFactProps {
  label: string;
  /** YYYY-MM-DD. */
  date: string | null | undefined;
  /** As of `Fact`, YYYY-MM-DD. */
  original?: string | null | undefined;
  children?: ReactNode;
}

/** A date without a time, as `DD-MM-YYYY`. */
export function DateFact({ label, date, original, children }: DateFactProps) {
  const sent = original ? plainDate(original) : original;
  if (!date) return <Fact label={label} original={sent} />;
  return (
    <Fact label={label} original={sent}>
      <time dateTime={date}>{plainDate(date)}</time> {children}
    </Fact>
  );
}

interface FactSectionProps {
  title: string;
  /** Opens the correction of the fields. */
  onCorrect?: (() => void) | undefined;
  /** It is folded until a member opens it. */
  folds?: boolean;
  children: ReactNode;
}

interface MoreProps {
  /** The sections that the fields belong to. */
  titles: readonly string[];
  fields: number;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

/** A second line of a field. */
export function FactNote({ children }: { children: ReactNode }) {
  return <div className={classes.aside}>{children}</div>;
}

/** A list of fields. */
export function FactList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <dl className={classes.facts} aria-label={label}>
      {children}
    </dl>
  );
}

/** Returns true if the node is a field without a value. */
function isEmptyFact(node: ReactNode): boolean {
  if (!isValidElement(node)) return false;
  const props = node.props as Partial<FactProps & DateFactProps>;
  if (props.original !== undefined) return false;
  if (node.type === Fact) return props.children === undefined && isEmptyText(props.text);
  return node.type === DateFact && !props.date;
}

/** Returns true if no field of the section has a value. */
function isEmptySection(node: ReactNode): node is ReactElement<FactSectionProps> {
  return (
    isValidElement<FactSectionProps>(node) &&
    node.type === FactSection &&
    Children.toArray(node.props.children).every(isEmptyFact)
  );
}

/** Sections of an order. Those without any value are counted in one line, and shown on demand. */
export function FactCard({ children }: { children: ReactNode }) {
  const [isWhole, setWhole] = useState(false);
  const sections = Children.toArray(children);
  const empty = sections.filter(isEmptySection);
  const fields = empty.flatMap(({ props }) => Children.toArray(props.children)).length;
  return (
    <Card>
      {isWhole ? sections : sections.filter((section) => !isEmptySection(section))}
      {fields > 0 && (
        <div className={classes.section}>
          <More
            titles={empty.map(({ props }) => props.title)}
            fields={fields}
            isOpen={isWhole}
            onToggle={setWhole}
          />
        </div>
      )}
    </Card>
  );
}

/** Fields under a heading. The empty ones are counted, because missing data matters, and shown on demand. */
export function FactSection({ title, onCorrect, folds, children }: FactSectionProps) {
  const [isWhole, setWhole] = useState(false);
  const all = Children.toArray(children);
  const empty = all.filter(isEmptyFact).length;
  // The card counts a section without any value, and shows it only whole.
  const isFolded = empty < all.length;
  const shown = isWhole || !isFolded ? all : all.filter((fact) => !isEmptyFact(fact));
  const content = (
    <>
      <FactList>{shown}</FactList>
      {empty > 0 && isFolded && (
        <More titles={[title]} fields={empty} isOpen={isWhole} onToggle={setWhole} />
      )}
    </>
  );
  if (!folds) {
    return (
      <Section title={title} onCorrect={onCorrect}>
        {content}
      </Section>
    );
  }
  return (
    <section className={classes.section}>
      <Folded title={title} note={`${all.length - empty} of ${all.length}`}>
        {content}
      </Folded>
    </section>
  );
}

function More({ titles, fields, isOpen, onToggle }: MoreProps) {
  const text = `${fields === 1 ? '1 field' : `${fields} fields`} empty, ${isOpen ? 'hide' : 'show'}`;
  return (
    <button
      type="button"
      className={classes.more}
      aria-expanded={isOpen}
      aria-label={`${titles.join(', ')}: ${text}`}
      onClick={() => onToggle(!isOpen)}
    >
      {text}
    </button>
  );
}

export function Section({ title, onCorrect, children }: FactSectionProps) {
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {onCorrect && (
        <button
          type="button"
          className={classes.correct}
          aria-label={`Correct: ${title}`}
          onClick={onCorrect}
        >
          Correct
        </button>
      )}
      {children}
    </section>
  );
}
