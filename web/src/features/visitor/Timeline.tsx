import type { VisitorOrder } from '@/api/visitorCalls';
import { useSpoken } from '@/i18n/texts';
import { writtenInstant } from '@/i18n/written';
import { LeftToRight } from './LeftToRight';

/** What happened to the order, the newest first: the present stage is the last of `steps`. */
export function Timeline({ steps }: { steps: VisitorOrder['timeline'] }) {
  const { language, texts } = useSpoken();
  if (steps.length === 0) return null;
  return (
    <section className="card timeline">
      <h2>{texts.timeline}</h2>
      <ol>
        {steps.toReversed().map(({ stage, at }) => (
          <li key={`${stage} ${at}`}>
            <span className="strong">{texts.stages[stage].name}</span>
            <time dateTime={at}>
              <LeftToRight>{writtenInstant(at, language)}</LeftToRight>
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
