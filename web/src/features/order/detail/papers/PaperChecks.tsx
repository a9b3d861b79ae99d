import { useQuery } from '@tanstack/react-query';
import type { OrderDetails, PaperCheck, PaperFinding } from '@/api/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { dateAndTime, zoneName } from '@/ui/times';
import { useOrderPost } from '../useOrderPost';
import { countsOf, isOpen, valueOf, wordOf } from './findingWords';
import classes from './PaperChecks.module.css';
import { checkPapers, lookAtFinding, papersQuery } from './papersQuery';

interface PaperChecksProps {
  order: OrderDetails;
  zone: string;
}

/** What was typed against the passport, field by field. Nothing for an order without a passport. */
export function PaperChecks({ order, zone }: PaperChecksProps) {
  const hasPassport = order.documents.some(({ kind }) => PASSPORTS.has(kind));
  const { data, error } = useQuery({ ...papersQuery(order.order_id), enabled: hasPassport });
  const post = useOrderPost();
  if (!hasPassport) return null;
  const check = data?.checks.find(({ paper }) => paper === 'passport');
  const again = () =>
    void post(['check papers', order.order_id], (key) => checkPapers(order.order_id, key));
  return (
    <Card as="section" className={classes.card} aria-label="Typed against passport">
      <header className={classes.head}>
        <h2>Typed against passport</h2>
        <span>{check?.state === 'done' && countsOf(check)}</span>
      </header>
      {check?.state === 'done' ? (
        <Done orderId={order.order_id} check={check} zone={zone} />
      ) : (
        <p className={classes.state} aria-busy={!data && !error}>
          <span>
            {error ? `Couldn’t load the checks. ${error.message}` : data && stateOf(check)}
          </span>
          {data && check?.state !== 'pending' && (
            <Button small onClick={again}>
              {check ? 'Check again' : 'Check the passport'}
            </Button>
          )}
        </p>
      )}
    </Card>
  );
}

const PASSPORTS = new Set(['passport_picture', 'passport']);

function stateOf(check: PaperCheck | undefined): string {
  if (!check) return 'Not checked yet.';
  return check.state === 'pending' ? 'Being checked…' : `Not checked: ${check.reason_text ?? ''}.`;
}

interface DoneProps {
  orderId: number;
  check: PaperCheck;
  zone: string;
}

function Done({ orderId, check, zone }: DoneProps) {
  return (
    <>
      {check.crop && (
        <img
          className={classes.crop}
          src={check.crop}
          alt="The machine-readable lines, cut out and straightened"
        />
      )}
      {check.lines.length > 0 && (
        <pre className={classes.lines} translate="no">
          {check.lines.map((line) => line ?? '(not readable)').join('\n')}
        </pre>
      )}
      <table className={classes.findings}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Typed</th>
            <th scope="col">Passport</th>
            <th scope="col">
              <span className={classes.hidden}>Finding</span>
            </th>
          </tr>
        </thead>
        {check.findings.map((finding) => (
          <Finding key={finding.field} orderId={orderId} check={check} finding={finding} />
        ))}
      </table>
      <p className={classes.foot}>
        Checked automatically
        {check.checked_at &&
          ` ${dateAndTime(check.checked_at, zone)} ${zoneName(check.checked_at, zone)}`}
        , {check.read_from === 'text_layer' ? 'from the text of the PDF' : 'with Tesseract'}. A
        check never changes an order.
      </p>
    </>
  );
}

interface FindingProps {
  orderId: number;
  check: PaperCheck;
  finding: PaperFinding;
}

/** A compared field, and below it what a person can say about it. */
function Finding({ orderId, check, finding }: FindingProps) {
  const post = useOrderPost();
  const { field, label, note, values_hash: valuesHash } = finding;
  const { word, tone } = wordOf(finding);
  const canLook = isOpen(finding);
  const look = (verdict: 'same' | 'keep_typed') => {
    const body = { orderId, documentId: check.document_id, field, valuesHash, verdict };
    void post(['look', body], (key) => lookAtFinding(body, key));
  };
  return (
    <tbody data-tone={canLook ? tone : undefined}>
      <tr>
        <th scope="row">{label}</th>
        <td>
          <bdi>{valueOf(finding.typed)}</bdi>
        </td>
        <td>
          <bdi translate="no">{valueOf(finding.read)}</bdi>
        </td>
        <td>
          <Chip tone={tone}>{word}</Chip>
        </td>
      </tr>
      {(canLook || note) && (
        <tr>
          <td />
          <td colSpan={3}>
            <div className={classes.actions}>
              {note && <span>{note}.</span>}
              {canLook && field !== 'validity' && finding.finding === 'look' && (
                <Button small onClick={() => look('same')} aria-label={`${label}: it is the same`}>
                  It is the same
                </Button>
              )}
              {canLook && (
                <Button
                  small
                  onClick={() => look('keep_typed')}
                  aria-label={field === 'validity' ? `${label}: I know` : `${label}: keep typed`}
                >
                  {field === 'validity' ? 'I know' : 'Keep typed'}
                </Button>
              )}
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
}
