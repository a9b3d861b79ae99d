import { useLayoutEffect, useRef } from 'react';
import type { AskedPapers as Asked, MissingPaper } from '@/api/visitorCalls';
import { useTexts } from '@/i18n/texts';
import { PaperCard } from './PaperCard';
import { CheckIcon } from './drawings';
import { usePaperTexts } from './paperTexts';
import './AskedPapers.css';

interface AskedPapersProps {
  orderId: number;
  /** Null when nothing is asked for, or not any more. */
  asked: Asked | null;
  /** Something was asked for since the page was opened. */
  wasAsked: boolean;
  /** True if nothing is asked for because everything is there. */
  isComplete: boolean;
  /** The papers that the page takes without being asked for. */
  missing: readonly MissingPaper[];
  /** Called when the server knows more than `asked` and `missing` say. */
  onChanged: () => void;
  onAccessLost: () => void;
}

/**
 * The papers that the visitor is asked for, and in the end thanks, or that they are no longer
 * needed; and those that are missing.
 */
export function AskedPapers({
  asked,
  wasAsked,
  isComplete,
  missing,
  ...options
}: AskedPapersProps) {
  const { texts } = useTexts();
  const words = usePaperTexts();
  const section = useRef<HTMLElement>(null);
  const isDone = wasAsked && asked === null;
  const isAllThere = missing.every(({ state }) => state === 'in');
  // Thanks for everything would be wrong while a paper is missing.
  const thanks = isAllThere ? words.thanks : words.received;
  const hasCards = asked !== null || missing.length > 0;

  // React has removed the focused card. A layout effect moves the focus before the browser paints.
  useLayoutEffect(() => {
    if (isDone && document.activeElement === document.body) section.current?.focus();
  }, [isDone]);

  return (
    <section ref={section} className="papers" tabIndex={-1} aria-label={texts.needs}>
      {hasCards && <h2>{texts.needs}</h2>}
      <div role="status">
        {isDone && (
          <p className="card paper-thanks">
            {isComplete && <CheckIcon />}
            <span>{isComplete ? thanks : words.notAskedFor}</span>
          </p>
        )}
      </div>
      {asked?.items.map((item) => (
        <PaperCard key={item.kind} item={item} language={asked.language} {...options} />
      ))}
      {missing.map((item) => (
        <PaperCard key={item.kind} item={item} {...options} />
      ))}
      {hasCards && <p className="soft">{words.lead}</p>}
    </section>
  );
}
