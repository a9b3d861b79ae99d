import { useQuery } from '@tanstack/react-query';
import type { OrderDetails, PaperCheck } from '@/api/types';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { dateAndTime, plainDate, zoneName } from '@/ui/times';
import { useOrderPost } from '../useOrderPost';
import { Finding } from './Finding';
import { countsOf } from './findingWords';
import classes from './PaperChecks.module.css';
import { PAPERS, type Paper } from './papers';
import { checkPapers, papersQuery } from './papersQuery';
import { PortalVersion } from './PortalVersion';

interface PaperChecksProps {
  order: OrderDetails;
  zone: string;
}

/** What the checks of the order's papers found, field by field. Nothing for papers that the order does not have. */
export function PaperChecks({ order, zone }: PaperChecksProps) {
  const papers = PAPERS.filter(({ kinds }) =>
    order.documents.some(({ kind }) => kinds.includes(kind)),
  );
  const { data, error } = useQuery({
    ...papersQuery(order.order_id),
    enabled: papers.length > 0,
  });
  return papers.map((paper) => (
    <PaperCard
      key={paper.paper}
      order={order}
      paper={paper}
      check={data?.checks.find((check) => check.paper === paper.paper)}
      isLoaded={data !== undefined}
      failure={error?.message}
      zone={zone}
    />
  ));
}

interface PaperCardProps {
  order: OrderDetails;
  paper: Paper;
  check: PaperCheck | undefined;
  isLoaded: boolean;
  failure: string | undefined;
  zone: string;
}

/** What the check of one paper found. */
export function PaperCard({ order, paper, check, isLoaded, failure, zone }: PaperCardProps) {
  const post = useOrderPost();
  const orderId = order.order_id;
  // The newest file of a paper is the one that is checked.
  const file = order.documents.findLast(({ kind }) => paper.kinds.includes(kind));
  const again = () => void post(['check papers', orderId], (key) => checkPapers(orderId, key));
  const isDone = check?.state === 'done';
  return (
    <Card as="section" className={classes.card} aria-label={paper.title}>
      <header className={classes.head}>
        <h2>{paper.title}</h2>
        <span>{isDone && countsOf(check)}</span>
      </header>
      {isDone ? (
        <>
          <Done order={order} paper={paper} check={check} zone={zone} />
          {paper.paper === 'photograph' && file?.media_type.startsWith('image/') && (
            <PortalVersion orderId={orderId} documentId={check.document_id} link={file.link} />
          )}
        </>
      ) : (
        <p className={classes.state} aria-busy={!isLoaded && !failure}>
          <span>
            {failure ? `Couldn’t load the checks. ${failure}` : isLoaded && stateOf(check)}
          </span>
          {isLoaded && check?.state !== 'pending' && (
            <Button small onClick={again} aria-label={`Check the ${paper.noun}`}>
              {check ? 'Check again' : `Check the ${paper.noun}`}
            </Button>
          )}
        </p>
      )}
    </Card>
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
  zone: string;
}

function Done({ order, paper, check, zone }: DoneProps) {
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
            {paper.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">
              <span className={classes.hidden}>Finding</span>
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
    </>
  );
}

function whenOf({ checked_at: at }: PaperCheck, zone: string): string {
  return at ? ` ${dateAndTime(at, zone)} ${zoneName(at, zone)}` : '';
}

/** Whose word the check is. */
function sourceOf({ read_from: from, limits }: PaperCheck): string {
  if (limits) {
    return ` against the portal’s limits as of ${plainDate(limits.as_of)} (${limits.source})`;
  }
  return from === 'text_layer' ? ', from the text of the PDF' : ', with Tesseract';
}
