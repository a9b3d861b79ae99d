import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrderDetails, PaperCheck } from '@/api/types';
import { Card } from '@/ui/Card';
import { TryAgain } from '@/ui/TryAgain';
import { countsOf, isOpen } from './findingWords';
import { PaperResult } from './PaperCard';
import classes from './PaperChecks.module.css';
import { PAPERS, type Paper } from './papers';
import { papersQuery } from './papersQuery';

/**
 * The outcomes of the checks of the order's papers. Nothing for papers that the order does not
 * have.
 */
export function PaperChecks({ order }: { order: OrderDetails }) {
  const papers = PAPERS.filter(({ kinds }) =>
    order.documents.some(({ kind }) => kinds.includes(kind)),
  );
  const { data, error, refetch } = useQuery({
    ...papersQuery(order.order_id),
    enabled: papers.length > 0,
  });
  const failure = data ? undefined : error?.message;
  return papers.map((paper) => (
    <FoldedPaper
      key={paper.paper}
      order={order}
      paper={paper}
      check={data?.checks.find((check) => check.paper === paper.paper)}
      isLoading={!data && !failure}
      failure={failure}
      onRetry={() => void refetch()}
    />
  ));
}

interface FoldedPaperProps {
  order: OrderDetails;
  paper: Paper;
  check: PaperCheck | undefined;
  isLoading: boolean;
  failure: string | undefined;
  onRetry: () => void;
}

/**
 * The result of one check in two lines, and all of it on demand. It is as tall before a result as with one, because results arrive at
 * any time and must not move the fields below.
 */
function FoldedPaper(props: FoldedPaperProps) {
  const { order, paper, check, isLoading, failure, onRetry } = props;
  const [isShown, setShown] = useState(false);
  const isWaiting = isLoading || check?.state === 'pending';
  const differs = check?.findings.some((one) => isOpen(one) && one.finding === 'differs');
  const head = (
    <>
      <h2>{paper.title}</h2>
      <span className={classes.summary} data-tone={differs ? 'danger' : undefined}>
        {failure ? 'Couldn’t load the checks' : !isLoading && summaryOf(check)}
      </span>
    </>
  );
  return (
    <Card as="section" aria-label={paper.title} aria-busy={isLoading}>
      {isWaiting ? (
        <div className={classes.folded}>{head}</div>
      ) : (
        <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
          <summary className={classes.folded}>
            {head}
            <span className={classes.toggle} aria-hidden="true">
              {isShown ? 'hide' : 'show'}
            </span>
          </summary>
          {failure ? (
            <p className={classes.failure}>
              {failure} <TryAgain small onClick={onRetry} />
            </p>
          ) : (
            <PaperResult
              order={order}
              paper={paper}
              check={check}
              onCheck={() => setShown(false)}
            />
          )}
        </details>
      )}
    </Card>
  );
}

function summaryOf(check: PaperCheck | undefined): string {
  switch (check?.state) {
    case 'pending':
      return 'Being checked…';
    case 'done':
      return countsOf(check);
    default:
      return check ? 'Not checked' : 'Not checked yet';
  }
}
