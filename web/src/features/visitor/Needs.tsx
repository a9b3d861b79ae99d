import type { Need } from '@/api/visitorCalls';
import { useSpoken } from '@/i18n/texts';
import { Filled } from '@/i18n/Filled';

/** What the visitor has to do, if anything. */
export function Needs({ needs }: { needs: Need[] }) {
  const { texts } = useSpoken();
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
              <Filled
                text={texts.needDocument}
                values={{
                  document: (
                    <bdi lang="en" className="strong">
                      {label}
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
