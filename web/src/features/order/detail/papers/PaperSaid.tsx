import type { DeskPaper, PaperReason } from '@/api/types';
import { paths } from '@/paths/staffPaths';
import { Button, ButtonLink } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { SelectField } from '@/ui/Field';
import { Time } from '@/ui/Time';
import { useHotkeys } from '@/ui/useHotkeys';
import { useMe } from '@/session/me';
import { useOrderPost } from '../useOrderPost';
import { reasonOf, reasonsFor, SAID, type PaperState } from './deskWords';
import classes from './desk.module.css';

interface PaperSaidProps {
  orderId: number;
  paper: DeskPaper;
  reasons: readonly PaperReason[];
  /** Given while an earlier file of the paper is shown: shows the newest one, which the state is about. */
  onShowNewest: (() => void) | undefined;
}

/** The buttons with which a member sets the state of a paper, and the reason for it. */
export function PaperSaid({ orderId, paper, reasons, onShowNewest }: PaperSaidProps) {
  const { may } = useMe();
  // Clicks that follow each other quickly are sent one after the other: the last one counts.
  const { post } = useOrderPost({ scope: `papers of ${orderId}` });
  const { kind, label, state, note, suggested, suggested_reason: suggestedReason } = paper;
  const documentId = paper.document_id ?? null;
  const say = (said: PaperState, reason: string | null) => {
    if (documentId === null) return;
    const body = { orderId, kind, documentId, state: said, reason };
    void post('/api/admin/set-paper-state', body);
  };
  const choose = (said: PaperState) => {
    if (said === state) return say('received', null);
    const first = reasonsFor(reasons, kind, said)[0]?.code ?? null;
    say(said, said === suggested && suggestedReason ? suggestedReason : first);
  };
  const canSay = documentId !== null && !onShowNewest;
  useHotkeys(
    Object.fromEntries(SAID.map(({ said, key }) => [key, () => canSay && choose(said)])),
    'view',
  );
  const options = canSay ? reasonsFor(reasons, kind, state) : [];
  const suggestion = suggested && reasons.find(({ code }) => code === suggestedReason);
  return (
    <Card as="section" className={classes.said} aria-label={label}>
      <h2>{label}</h2>
      {note && <p className={classes.soft}>{note}</p>}
      {documentId === null && <p>This document is missing.</p>}
      {onShowNewest && (
        <p className={classes.suggestion}>
          An earlier file is shown.{' '}
          <Button small kind="primary" onClick={onShowNewest}>
            Show the newest
          </Button>
        </p>
      )}
      {canSay && suggestion && (
        <p className={classes.suggestion}>
          The check says: {suggestion.texts['en']}{' '}
          <Button small kind="primary" onClick={() => choose(suggested)}>
            Mark as {suggested}
          </Button>
        </p>
      )}
      {canSay && (
        <div className={classes.states} role="group" aria-label="Decision">
          <span aria-hidden="true">Decision</span>
          {SAID.map(({ said, key }) => (
            <Button
              key={said}
              small
              aria-pressed={said === state}
              aria-keyshortcuts={key}
              onClick={() => choose(said)}
            >
              {said.charAt(0).toUpperCase() + said.slice(1)} <kbd aria-hidden="true">{key}</kbd>
            </Button>
          ))}
        </div>
      )}
      {options.length > 0 && (
        <SelectField
          label="Reason for the applicant"
          options={options.map(({ code, texts }) => [code, texts['en'] ?? code])}
          value={reasonOf(reasons, paper)?.code}
          onChange={(event) => say(state, event.target.value)}
        />
      )}
      {may.edit_paper_reasons && (
        <ButtonLink small to={paths.paperReasons}>
          Edit reason texts
        </ButtonLink>
      )}
      {paper.set_by && paper.set_at && (
        <p className={classes.soft}>
          <bdi>{paper.set_by}</bdi>, <Time iso={paper.set_at} />
        </p>
      )}
    </Card>
  );
}
