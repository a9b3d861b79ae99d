import { Interpolate } from '@/i18n/Interpolate';
import { LeftToRight } from '../LeftToRight';
import { PassportDrawing, PhotographDrawing } from './drawings';
import { usePaperTexts } from './paperTexts';

/** The instructions for taking the picture of a passport or of oneself. */
export function PaperTip({ kind }: { kind: string }) {
  const words = usePaperTexts();
  if (kind === 'passport') {
    const signs = <LeftToRight>{'<<<'}</LeftToRight>;
    return (
      <div className="paper-tip">
        <PassportDrawing />
        <p>
          <Interpolate text={words.passportTip} values={{ signs }} />
        </p>
      </div>
    );
  }
  if (kind !== 'recent_photo') return null;
  return (
    <div className="paper-tip">
      <PhotographDrawing />
      <p>{words.photographTip}</p>
    </div>
  );
}
