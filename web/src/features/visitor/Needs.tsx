import type { Need } from '@/api/visitorCalls';
import { useTexts } from '@/i18n/texts';
import { Interpolate } from '@/i18n/Interpolate';
import { NeededPaper } from './papers/NeededPaper';

/** The list of tasks that the visitor has to do. */
export function Needs({ needs }: { needs: Need[] }) {
  const { texts } = useTexts();
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
