import { useState, type ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { Folded } from '@/ui/Folded';
import { CopyButton } from '@/ui/CopyButton';
import classes from './Fact.module.css';

/** A labelled value of the order. */
export interface OrderFact {
  label: string;
  /** The stored value, in any script. */
  text?: string | number | null | undefined;
  /** Adds a button that copies `text`. */
  copied?: boolean | undefined;
  /** The value that the customer sent, if it was corrected; null: nothing. */
  original?: string | null | undefined;
  /** Shown in place of `text`. */
  content?: ReactNode;
  /** It is left out if it is empty, and not counted as missing. */
  isOptional?: boolean;
}

/** Facts under a heading. */
export interface OrderSection {
  title: string;
  /** Opens the correction of the fields. */
  onCorrect?: (() => void) | undefined;
  /** The facts that matter most, if the section is folded until a member opens it. */
  gist?: string | undefined;
  facts: readonly OrderFact[];
}

/** Returns true if there is nothing to show: neither a text nor content. */
const isBlank = ({ text, content }: OrderFact) => !content && (text ?? '') === '';

/** Returns true if the fact has no value and never had one. */
const isEmpty = (fact: OrderFact) => isBlank(fact) && fact.original === undefined;

const isShown = (fact: OrderFact) => !fact.isOptional || !isEmpty(fact);

export function Fact(fact: OrderFact) {
  const { label, text, copied, original, content } = fact;
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd className={copied ? classes.copied : undefined}>
        {isBlank(fact) ? (
          <span className={classes.none}>-</span>
        ) : (
          content || <bdi>{breakable(text)}</bdi>
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
export function breakable(text: OrderFact['text']): ReactNode {
  const [name, domain, ...rest] = String(text).split('@');
  if (domain === undefined || rest.length > 0) return text;
  return (
    <>
      {name}@<wbr />
      {domain}
    </>
  );
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

export function FactList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <dl className={classes.facts} aria-label={label}>
      {children}
    </dl>
  );
}

/** Sections of an order. Those without any value are counted in one line, and shown on demand. */
export function FactCard({ sections }: { sections: readonly OrderSection[] }) {
  const [isWhole, setWhole] = useState(false);
  const all = sections.map((section) => ({ ...section, facts: section.facts.filter(isShown) }));
  const empty = all.filter(({ facts }) => facts.every(isEmpty));
  const fields = empty.flatMap(({ facts }) => facts).length;
  return (
    <Card>
      {all
        .filter((section) => isWhole || !empty.includes(section))
        .map((section) => (
          <FactSection key={section.title} {...section} />
        ))}
      {fields > 0 && (
        <div className={classes.section}>
          <More
            titles={empty.map(({ title }) => title)}
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
function FactSection({ title, onCorrect, gist, facts }: OrderSection) {
  const [isWhole, setWhole] = useState(false);
  const empty = facts.filter(isEmpty).length;
  // The card counts a section without any value, and shows it only whole.
  const isFolded = empty > 0 && empty < facts.length;
  const shown = isWhole || !isFolded ? facts : facts.filter((fact) => !isEmpty(fact));
  const content = (
    <>
      <FactList>
        {shown.map((fact) => (
          <Fact key={fact.label} {...fact} />
        ))}
      </FactList>
      {isFolded && <More titles={[title]} fields={empty} isOpen={isWhole} onToggle={setWhole} />}
    </>
  );
  const note =
    gist === undefined ? undefined : gist || `${facts.length - empty} of ${facts.length}`;
  return (
    <Section title={title} onCorrect={onCorrect} folded={note}>
      {content}
    </Section>
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

interface SectionProps {
  title: string;
  /** Opens the correction of the fields. */
  onCorrect?: (() => void) | undefined;
  /** The facts that matter most, if the part is folded until a member opens it. */
  folded?: string | undefined;
  children: ReactNode;
}

/** A part of a card under its heading. */
export function Section({ title, onCorrect, folded, children }: SectionProps) {
  const correct = onCorrect && <CorrectButton title={title} onCorrect={onCorrect} />;
  if (folded !== undefined) {
    return (
      <section className={classes.section}>
        <Folded title={title} note={folded}>
          {children}
        </Folded>
        {correct}
      </section>
    );
  }
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {correct}
      {children}
    </section>
  );
}

function CorrectButton({ title, onCorrect }: { title: string; onCorrect: () => void }) {
  return (
    <button
      type="button"
      className={classes.correct}
      aria-label={`Correct: ${title}`}
      onClick={onCorrect}
    >
      Correct
    </button>
  );
}
