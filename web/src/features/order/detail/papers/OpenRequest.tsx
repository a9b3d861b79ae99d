import type { DeskPaper, OpenPaperRequest } from '@/api/types';
import { LANGUAGES } from '@/i18n/languages';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Chip, type Tone } from '@/ui/Chip';
import { Time } from '@/ui/Time';
import { useOrderPost } from '../useOrderPost';
import classes from './desk.module.css';

interface OpenRequestProps {
  orderId: number;
  request: OpenPaperRequest;
  papers: readonly DeskPaper[];
}

type ItemState = OpenPaperRequest['items'][number]['state'];

const STATES: Record<ItemState, { word: string; tone: Tone }> = {
  asked: { word: 'not sent yet', tone: 'warn' },
  checking: { word: 'being checked', tone: 'info' },
  look: { word: 'the applicant is told of a fault', tone: 'warn' },
  in: { word: 'received', tone: 'done' },
};

/** The papers that the applicant was asked for, and the state of the request. */
export function OpenRequest({ orderId, request, papers }: OpenRequestProps) {
  const { post } = useOrderPost();
  const { language, asked_by: by, asked_at: at, reminders, next_at: next, items } = request;
  const labelOf = (kind: string) => papers.find((paper) => paper.kind === kind)?.label ?? kind;
  const reminded = reminders === 1 ? '1 reminder was sent' : `${reminders} reminders were sent`;
  return (
    <Card as="section" className={classes.request} aria-labelledby="open-request">
      <h2 id="open-request">Documents requested from the applicant</h2>
      <ul>
        {items.map(({ kind, state }) => (
          <li key={kind}>
            {labelOf(kind)} <Chip tone={STATES[state].tone}>{STATES[state].word}</Chip>
          </li>
        ))}
      </ul>
      <p className={classes.soft}>
        Asked <Time iso={at} /> by <bdi>{by}</bdi> in {LANGUAGES[language].name}.{' '}
        {reminders > 0 && `${reminded}. `}
        {next && (
          <>
            Next step <Time iso={next} />.{' '}
          </>
        )}
        The order comes back by itself when everything is there.
      </p>
      <Button small onClick={() => void post('/api/admin/withdraw-paper-request', { orderId })}>
        Take the request back
      </Button>
    </Card>
  );
}
