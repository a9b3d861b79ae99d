import { useLayoutEffect, useRef } from 'react';
import type { AskedPapers as Asked } from '@/api/visitorCalls';
import { useTexts } from '@/i18n/texts';
import { PaperCard } from './PaperCard';
import { CheckIcon } from './drawings';
import { usePaperTexts } from './paperTexts';
import './AskedPapers.css';

interface AskedPapersProps {
  orderId: number;
  /** Null when nothing is asked for any more. */
  asked: Asked | null;
  /** True if nothing is asked for because everything is there. */
  isComplete: boolean;
  /** Called when the server knows more than `asked` says. */
  onChanged: () => void;
  onAccessLost: () => void;
}

/** The papers that the visitor is asked for, and in the end thanks, or that they are no longer needed. */
export function AskedPapers({ asked, isComplete, ...options }: AskedPapersProps) {
  const { texts } = useTexts();
  const words = usePaperTexts();
  const section = useRef<HTMLElement>(null);
  const isDone = asked === null;

  // React has removed the focused card. A layout effect moves the focus before the browser paints.
  useLayoutEffect(() => {
    if (isDone && document.activeElement === document.body) section.current?.focus();
  }, [isDone]);

  return (
    <section ref={section} className="papers" tabIndex={-1} aria-label={texts.needs}>
      {asked && <h2>{texts.needs}</h2>}
      <div role="status">
        {isDone && (
          <p className="card paper-thanks">
            {isComplete && <CheckIcon />}
            <span>{isComplete ? words.thanks : words.notAskedFor}</span>
          </p>
        )}
      </div>
      {asked?.items.map((item) => (
        <PaperCard key={item.kind} item={item} language={asked.language} {...options} />
      ))}
      {asked && <p className="soft">{words.lead}</p>}
    </section>
  );
}
