import { useEffect, useId, useRef } from 'react';
import { LANGUAGES, type Language } from '@/i18n/languages';
import { useTexts } from '@/i18n/texts';
import { PaperName } from './PaperName';
import { PaperPickers } from './PaperPickers';
import { PaperTip } from './PaperTip';
import { Preview } from './Preview';
import { CheckIcon, FaultIcon } from './drawings';
import { paperFailureText } from './paperFailureText';
import { usePaperTexts } from './paperTexts';
import { useChecking } from './useChecking';
import { type PaperItem, type PaperStage, usePaperUpload } from './usePaperUpload';

interface PaperCardProps {
  orderId: number;
  item: PaperItem;
  /** The language of the reason. */
  language?: Language;
  onChanged: () => void;
  onAccessLost: () => void;
}

/** A paper that was asked for or is missing: the reason, the instructions, the pickers, and the outcome. */
export function PaperCard({ language, ...options }: PaperCardProps) {
  const { item, onChanged } = options;
  const locale = useTexts();
  const words = usePaperTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  const name = useId();
  const upload = usePaperUpload(options);
  const isLong = useChecking(item, onChanged);
  const { stage, file, failure } = upload;
  useFocusAfter(stage, heading);

  const isOpen = stage === 'open' || stage === 'look';
  return (
    <article className="card paper" data-stage={stage} aria-labelledby={name}>
      <h3 id={name} ref={heading} tabIndex={-1}>
        <PaperName item={item} />
      </h3>
      {file && stage !== 'received' && <Preview file={file} />}
      <div role="status" className="paper-news">
        {stage === 'open' && !upload.retry && language && item.reason && (
          <Reason language={language}>{item.reason}</Reason>
        )}
        {stage === 'sending' && <p className="soft">{words.sending}</p>}
        {stage === 'checking' && (
          <p className="soft">{isLong ? words.checkingLong : words.checking}</p>
        )}
        {stage === 'look' &&
          item.faults.map((fault) => (
            <p key={fault} className="paper-fault">
              <FaultIcon />
              <span>{words.faults[fault]}</span>
            </p>
          ))}
        {stage === 'received' && (
          <p className="paper-received">
            <CheckIcon />
            <span>{words.received}</span>
          </p>
        )}
      </div>
      {stage === 'sending' && (
        <>
          <progress value={upload.share} aria-labelledby={name} />
          <button type="button" className="quiet" onClick={upload.cancel}>
            {words.cancel}
          </button>
        </>
      )}
      <p className="refusal" role="alert">
        {failure !== null && paperFailureText(failure, locale, words)}
      </p>
      {isOpen && upload.retry && (
        <button type="button" className="paper-retry" onClick={upload.retry}>
          {locale.texts.tryAgain}
        </button>
      )}
      {isOpen && (
        <>
          <PaperTip kind={item.kind} />
          <PaperPickers
            camera={item.kind === 'recent_photo' ? 'user' : 'environment'}
            isAgain={stage === 'look' || file !== null}
            onFile={upload.send}
          />
        </>
      )}
      {stage === 'look' && (
        <button
          type="button"
          className="quiet"
          aria-disabled={upload.isBusy}
          onClick={() => void upload.sendAnyway()}
        >
          {words.sendAnyway}
        </button>
      )}
    </article>
  );
}

/** Why a paper is asked for, which need not be in the page's language. */
function Reason({ language, children }: { language: Language; children: string }) {
  return (
    <p className="paper-fault">
      <FaultIcon />
      <span lang={language} dir={LANGUAGES[language].direction}>
        {children}
      </span>
    </p>
  );
}

/** Focuses the heading when the button that had the focus is gone. */
function useFocusAfter(stage: PaperStage, heading: React.RefObject<HTMLElement | null>): void {
  const shown = useRef(stage);
  useEffect(() => {
    if (shown.current === stage) return;
    shown.current = stage;
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [stage, heading]);
}
