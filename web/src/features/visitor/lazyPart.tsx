import { createContext, lazy, Suspense, useState, type ComponentType } from 'react';
import { useTexts } from '@/i18n/texts';
import { loadChunk } from '@/ui/loadChunk';
import { Boundary } from './Boundary';

/** Counts how often the visitor tried to load the part again. What a part loads by itself is loaded again with it. */
export const PartAttempt = createContext(0);

/** A part of the page in a chunk of its own. If it cannot be loaded, the rest of the page stays, and the visitor can try again. */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loadPart = () => lazy(async () => ({ default: await loadChunk(name, load) }));
  const first = loadPart();
  return function Part(props: Props) {
    const [{ Loaded, attempt }, setPart] = useState({ Loaded: first, attempt: 0 });
    const part = <Loaded {...props} />;
    return (
      <PartAttempt value={attempt}>
        <Boundary
          key={attempt}
          failure={<Failed onRetry={() => setPart({ Loaded: loadPart(), attempt: attempt + 1 })} />}
        >
          {/* The page waits for its parts at first, and not once it is shown. */}
          {attempt === 0 ? part : <Suspense>{part}</Suspense>}
        </Boundary>
      </PartAttempt>
    );
  };
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const { texts } = useTexts();
  return (
    <div className="card note" role="alert">
      <p>{texts.unexpected}</p>
      <button type="button" className="quiet" onClick={onRetry}>
        {texts.tryAgain}
      </button>
    </div>
  );
}
