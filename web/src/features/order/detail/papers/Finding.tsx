import type { OrderDetails, PaperFinding } from '@/api/types';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { correct } from '../corrections/correctionCall';
import { useOrderPost } from '../useOrderPost';
import classes from './Finding.module.css';
import { isDate, isLimited, isOpen, valueOf, wordOf } from './findingWords';
import { suggestionOf } from './suggestions';

interface FindingProps {
  order: OrderDetails;
  documentId: number;
  finding: PaperFinding;
}

/** A compared field, and below it what a person can say about it. */
export function Finding({ order, documentId, finding }: FindingProps) {
  const { post, submit } = useOrderPost();
  const orderId = order.order_id;
  const { field, label, note, values_hash: valuesHash } = finding;
  const { word, tone } = wordOf(finding);
  const canLook = isOpen(finding);
  const isLook = finding.finding === 'look';
  const limited = isLimited(finding);
  const look = (verdict: 'same' | 'keep_typed') => {
    const body = { orderId, documentId, field, valuesHash, verdict };
    void post('/api/admin/look-at-finding', body);
  };
  const isWrong = canLook && finding.finding === 'differs' && order.allowed.correct;
  const suggestion = isWrong ? suggestionOf(order, finding) : null;
  const agree = limited ? 'It is fine' : 'Matches the passport';
  const insist = limited ? 'I know' : 'Keep as typed';
  return (
    <tbody data-tone={canLook ? tone : undefined}>
      <tr>
        <th scope="row">{label}</th>
        <td data-date={isDate(finding.typed) || undefined}>
          <bdi>{valueOf(finding.typed)}</bdi>
        </td>
        <td data-date={isDate(finding.read) || undefined}>
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
              {suggestion && (
                <Button
                  small
                  kind="primary"
                  onClick={() =>
                    void submit(['use', suggestion], () => correct(orderId, suggestion))
                  }
                  aria-label={`${label}: use ${valueOf(finding.read)}`}
                >
                  Use <bdi>{valueOf(finding.read)}</bdi>
                </Button>
              )}
              {canLook && isLook && (
                <Button small onClick={() => look('same')} aria-label={`${label}: ${agree}`}>
                  {agree}
                </Button>
              )}
              {canLook && !(isLook && limited) && (
                <Button small onClick={() => look('keep_typed')} aria-label={`${label}: ${insist}`}>
                  {insist}
                </Button>
              )}
            </div>
          </td>
        </tr>
      )}
    </tbody>
  );
}
