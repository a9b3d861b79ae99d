import type { OrderDetails, PaperCheck } from '@/api/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { HiddenText } from '@/ui/HiddenText';
import { dateAndTime, plainDate, zoneName } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { useOrderPost } from '../useOrderPost';
import { Finding } from './Finding';
import { countsOf, isUnread } from './findingWords';
import classes from './PaperCard.module.css';
import type { Paper } from './papers';
import { PortalVersion } from './PortalVersion';

interface PaperResultProps {
  order: OrderDetails;
  paper: Paper;
  /** None: no check was requested. */
  check: PaperCheck | undefined;
  /** Called when a new check is requested. */
  onCheck?: () => void;
}

/** The outcome of the check of one paper, in the view of the papers. */
export function PaperCard(props: PaperResultProps) {
  const { paper, check } = props;
  return (
    <Card as="section" aria-label={paper.title}>
      <header className={classes.head}>
        <h2>{paper.title}</h2>
        <span>{check?.state === 'done' && countsOf(check)}</span>
      </header>
      <PaperResult {...props} />
    </Card>
  );
}

/** The findings of the check of one paper, field by field, or the reason why there are none. */
export function PaperResult({ order, paper, check, onCheck }: PaperResultProps) {
  const { post } = useOrderPost();
  const orderId = order.order_id;
  if (check?.state === 'done') {
    return <Done order={order} paper={paper} check={check} />;
  }
  const again = () => {
    onCheck?.();
    void post('/api/admin/check-papers', { orderId });
  };
  return (
    <p className={classes.state}>
      <span>{stateOf(check)}</span>
      {check?.state !== 'pending' && (
        <Button small onClick={again} aria-label={`Check the ${paper.noun}`}>
          {check ? 'Check again' : `Check the ${paper.noun}`}
        </Button>
      )}
    </p>
  );
}

function stateOf(check: PaperCheck | undefined): string {
  if (!check) return 'Not checked yet.';
  return check.state === 'pending' ? 'Being checked…' : `Not checked: ${check.reason_text ?? ''}.`;
}

interface DoneProps {
  order: OrderDetails;
  paper: Paper;
  check: PaperCheck;
}

function Done({ order, paper, check }: DoneProps) {
  const zone = useZone();
  // The newest file of a paper is the one that is checked.
  const file = order.documents.findLast(({ kind }) => paper.kinds.includes(kind));
  return (
    <>
      {check.crop && (
        <img
          className={classes.crop}
          src={check.crop}
          alt="The machine-readable lines, cut out and straightened"
        />
      )}
      {isUnread(check) && (
        <p className={classes.unread}>
          The lines could not be read. Please compare the picture above with the order.
        </p>
      )}
      {check.lines.length > 0 && !isUnread(check) && (
        <pre className={classes.lines} translate="no">
          {check.lines.map((line) => line ?? '(not readable)').join('\n')}
        </pre>
      )}
      <table className={classes.findings}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {paper.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <HiddenText>Finding</HiddenText>
            </th>
          </tr>
        </thead>
        {check.findings.map((finding) => (
          <Finding
            key={finding.field}
            order={order}
            documentId={check.document_id}
            finding={finding}
          />
        ))}
      </table>
      <p className={classes.foot}>
        Checked automatically{whenOf(check, zone)}
        {sourceOf(check)}. A check never changes an order.
      </p>
      {paper.paper === 'photograph' && file?.media_type.startsWith('image/') && (
        <PortalVersion orderId={order.order_id} documentId={check.document_id} link={file.link} />
      )}
    </>
  );
}

function whenOf({ checked_at: at }: PaperCheck, zone: string): string {
  return at ? ` ${dateAndTime(at, zone)} ${zoneName(at, zone)}` : '';
}

function sourceOf({ read_from: from, limits }: PaperCheck): string {
  if (limits) {
    return ` against the portal’s limits as of ${plainDate(limits.as_of)} (${limits.source})`;
  }
  return from === 'text_layer' ? ', from the text of the PDF' : ', by text recognition';
}
