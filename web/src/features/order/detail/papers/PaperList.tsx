import type { DeskPaper } from '@/api/types';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { notify } from '@/ui/notify';
import { useHotkeys } from '@/ui/useHotkeys';
import { nextToCheck, wordOfPaper } from './deskWords';
import classes from './desk.module.css';

interface PaperListProps {
  papers: readonly DeskPaper[];
  /** The document of the catalogue that is shown. */
  chosen: string | undefined;
  onChoose: (kind: string) => void;
}

/** The papers that the visa type needs, each with what it is like. */
export function PaperList({ papers, chosen, onChoose }: PaperListProps) {
  const groups = [
    { title: 'Required', papers: papers.filter(({ is_required }) => is_required) },
    { title: 'Not always required', papers: papers.filter(({ is_required }) => !is_required) },
  ];
  useHotkeys(
    {
      n: () => {
        const sorted = groups.flatMap((group) => group.papers);
        const next = nextToCheck(sorted, chosen);
        if (next) onChoose(next.kind);
        else
          notify.success('Every document that was received is checked', { id: 'papers-checked' });
      },
    },
    'view',
  );
  return (
    <nav aria-label="Documents">
      <Card className={classes.list}>
        {groups.map(
          (group) =>
            group.papers.length > 0 && (
              <section key={group.title}>
                <h2>{group.title}</h2>
                <ul>
                  {group.papers.map((paper) => (
                    <li key={paper.kind}>
                      <button
                        type="button"
                        aria-current={paper.kind === chosen}
                        title={paper.when ? `Needed when: ${paper.when}` : undefined}
                        onClick={() => onChoose(paper.kind)}
                      >
                        <span>{paper.label}</span>
                        <Word paper={paper} />
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            ),
        )}
      </Card>
    </nav>
  );
}

function Word({ paper }: { paper: DeskPaper }) {
  if (paper.suggested) return <Chip tone="warn">to check</Chip>;
  const { word, tone } = wordOfPaper(paper);
  return <Chip tone={tone}>{word}</Chip>;
}
