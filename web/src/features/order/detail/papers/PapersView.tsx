import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OrderDetails } from '@/api/types';
import { Card } from '@/ui/Card';
import { ListNotice } from '@/ui/ListNotice';
import { reasonsQuery } from '../../paperReasons/paperReasonCalls';
import { DocumentViewer } from '../documents/DocumentViewer';
import { AskBar } from './AskBar';
import { OpenRequest } from './OpenRequest';
import { PaperCard } from './PaperCard';
import { PaperList } from './PaperList';
import { kindsOf, PAPERS } from './papers';
import { papersQuery } from './papersQuery';
import { PaperSaid } from './PaperSaid';
import classes from './desk.module.css';

/** The papers of an order side by side with what was typed: what each is like, and what the applicant is asked for. */
export function PapersView({ order }: { order: OrderDetails }) {
  const orderId = order.order_id;
  const desk = useQuery(papersQuery(orderId));
  const known = useQuery(reasonsQuery);
  /** A file, or a paper, of which there may be no file. */
  const [chosen, setChosen] = useState<{ file1?: string; kind?: string }>({});
  const viewer = useRef<HTMLElement>(null);
  const { data } = desk;
  const reasons = known.data;
  if (!data || !reasons) {
    const error = desk.error ?? known.error;
    const retry = () => {
      void desk.refetch();
      void known.refetch();
    };
    if (error) return <ListNotice text={error.message} onRetry={retry} />;
    return <Card className={classes.loading} aria-busy />;
  }
  const paperOf = (file1: string) => {
    const kind = order.documents.find((one) => one.file1 === file1)?.kind ?? '';
    return data.papers.find((one) => kindsOf(one.kind).includes(kind));
  };
  const show = (file1: string) => setChosen({ file1 });
  const paper = chosen.file1
    ? paperOf(chosen.file1)
    : (data.papers.find(({ kind }) => kind === chosen.kind) ?? data.papers[0]);
  const newest =
    paper && order.documents.findLast(({ kind }) => kindsOf(paper.kind).includes(kind));
  const shown = chosen.file1 ?? newest?.file1 ?? null;
  const isEarlier = newest !== undefined && shown !== newest.file1;
  const checked = paper && PAPERS.find(({ kinds }) => kinds.includes(paper.kind));
  return (
    <div className={classes.view}>
      {data.request && (
        <OpenRequest orderId={orderId} request={data.request} papers={data.papers} />
      )}
      <PaperList
        papers={data.papers}
        chosen={paper?.kind}
        onChoose={(kind) => setChosen({ kind })}
      />
      <div className={classes.paper}>
        {paper && (
          <PaperSaid
            key={paper.kind}
            orderId={orderId}
            paper={paper}
            reasons={reasons}
            onShowNewest={isEarlier ? () => show(newest.file1) : undefined}
          />
        )}
        <DocumentViewer order={order} shown={shown} onShow={show} card={viewer} />
        {checked && newest && !isEarlier && (
          <div className={classes.check}>
            <PaperCard
              order={order}
              paper={checked}
              check={data.checks.find((check) => check.paper === checked.paper)}
            />
          </div>
        )}
      </div>
      {data.may_ask && <AskBar orderId={orderId} desk={data} reasons={reasons} />}
    </div>
  );
}
