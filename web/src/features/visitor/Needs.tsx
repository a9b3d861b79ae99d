import type { Need } from '@/api/visitorCalls';
import { useTexts } from '@/i18n/texts';
import { Interpolate } from '@/i18n/Interpolate';
import { lazyPart } from './lazyPart';

const NeededPaper = lazyPart(
  'needed paper',
  async () => (await import('./papers/NeededPaper')).NeededPaper,
);

/** The list of tasks that the visitor has to do. */
export function Needs({ needs }: { needs: Need[] }) {
  const { texts } = useTexts();
  if (needs.length === 0) return null;
  return (
    <section className="card needs">
      <h2>{texts.needs}</h2>
      <ul>
        {needs.map(({ code, label }) => (
          <li key={`${code} ${label ?? ''}`}>
            {code === 'reply' && texts.needReply}
            {code === 'document' && !label && texts.needAnyDocument}
            {code === 'document' && label && (
              <Interpolate
                text={texts.needDocument}
                values={{
                  document: (
                    <bdi className="strong">
                      <NeededPaper label={label} />
                    </bdi>
                  ),
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
