import { useState } from 'react';
import type { DeskPaper, PaperReason, PaperRequest } from '@/api/types';
import { LANGUAGES, languages } from '@/i18n/languages';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { SelectField } from '@/ui/Field';
import { Row } from '@/ui/Row';
import { useOrderPost } from '../useOrderPost';
import { isToAsk, reasonOf } from './deskWords';
import classes from './desk.module.css';
import type { Desk } from './papersQuery';
import { RequestPreview } from './RequestPreview';

interface AskBarProps {
  orderId: number;
  desk: Desk;
  reasons: readonly PaperReason[];
}

/** The papers to ask the applicant for, the language, and the button that asks. */
export function AskBar({ orderId, desk, reasons }: AskBarProps) {
  const { post } = useOrderPost();
  const [language, setLanguage] = useState(desk.request?.language ?? desk.language);
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const [isReading, setReading] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const candidates = desk.papers.flatMap((paper): Candidate[] => {
    const reason = reasonOf(reasons, paper);
    return reason ? [{ paper, reason, isAsked: chosen[paper.kind] ?? isToAsk(paper) }] : [];
  });
  const items = candidates
    .filter(({ isAsked }) => isAsked)
    .map(({ paper, reason }) => ({ kind: paper.kind, reason: reason.code }));
  const request: PaperRequest = { orderId, language, items };
  const counted = items.length === 1 ? '1 document' : `${items.length} documents`;
  const ask = async () => {
    setAsking(true);
    await post('/api/admin/ask-for-papers', request);
    setAsking(false);
  };
  return (
    <Card as="section" className={classes.ask} aria-label="Request documents">
      <h2>Request documents</h2>
      <div className={classes.items}>
        {candidates.length === 0 && (
          <span className={classes.soft}>
            Nothing to request: every document is received or accepted.
          </span>
        )}
        {candidates.map(({ paper, reason, isAsked }) => (
          <Checkbox
            key={paper.kind}
            label={isAsked && paper.state !== 'missing' ? whole(paper, reason) : paper.label}
            title={whole(paper, reason)}
            checked={isAsked}
            onChange={(event) => setChosen({ ...chosen, [paper.kind]: event.target.checked })}
          />
        ))}
      </div>
      {candidates.length > 0 && (
        <Row>
          <SelectField
            label="Language of the email"
            options={languages.map((one) => [one, LANGUAGES[one].name])}
            labelHidden
            value={language}
            onChange={({ target }) =>
              setLanguage(languages.find((one) => one === target.value) ?? 'en')
            }
          />
          <Button disabled={items.length === 0} onClick={() => setReading(true)}>
            Preview email
          </Button>
          <Button
            kind="primary"
            disabled={items.length === 0}
            busy={isAsking}
            onClick={() => void ask()}
          >
            Request {counted}
            {desk.request && ' again'}
          </Button>
        </Row>
      )}
      {isReading && <RequestPreview request={request} onClose={() => setReading(false)} />}
    </Card>
  );
}

const whole = ({ label }: DeskPaper, { texts }: PaperReason) => `${label}: ${texts['en']}`;

/** A paper that can be asked for. */
interface Candidate {
  paper: DeskPaper;
  reason: PaperReason;
  isAsked: boolean;
}
