import type { VisitorOrder } from '@/api/visitorCalls';
import { useTexts } from '@/i18n/texts';
import { formatInstant } from '@/i18n/formatRecord';
import { LeftToRight } from './LeftToRight';

/** The order's stages, newest first. The last of `steps` is the current one. */
export function Timeline({ steps }: { steps: VisitorOrder['timeline'] }) {
  const { language, texts } = useTexts();
  if (steps.length === 0) return null;
  return (
    <section className="card timeline">
      <h2>{texts.timeline}</h2>
      <ol>
        {steps.toReversed().map(({ stage, at }) => (
          <li key={`${stage} ${at}`}>
            <span className="strong">{texts.stages[stage].name}</span>
            <time dateTime={at}>
              <LeftToRight>{formatInstant(at, language)}</LeftToRight>
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
