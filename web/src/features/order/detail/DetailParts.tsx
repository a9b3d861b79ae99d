import { Suspense, useEffect, useRef, useState, type ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import type { OrderDetails } from '@/api/types';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { lazyComponent } from '@/ui/loadChunk';
import { useMedia } from '@/ui/useMedia';
import { ChargebackCard } from './chargebacks/ChargebackCard';
import {
  DetailTabs,
  Panel,
  partId,
  showTab,
  tabOfHash,
  TABS,
  useDetailTab,
  type DetailTab,
} from './DetailTabs';
import { ApplicantFiles, MainDocument } from './documents/Documents';
import { DocumentViewer } from './documents/DocumentViewer';
import { missingDocuments } from './documents/documentList';
import { FactCard } from './Fact';
import classes from './layout.module.css';
import { DownloadHistory } from './mails/DownloadHistory';
import { EmailContent } from './mails/EmailContent';
import { EmailHistory } from './mails/EmailHistory';
import { FailedTries } from './mails/FailedTries';
import { Mails } from './mails/Mails';
import { WhatsappDialog } from './mails/WhatsappDialog';
import { OrderActions } from './OrderActions';
import type { SectionTitle } from './orderFields';
import { sectionsOf } from './OrderFacts';
import { PaperChecks } from './papers/PaperChecks';
import { AddComment } from './remarks/AddComment';
import { CommentHistory } from './remarks/CommentHistory';
import { useRemarkForm } from './remarks/useRemarkForm';
import { useHistory, type History } from './useHistory';
import type { HistoryRow } from './historyQuery';
import { useIsWide } from './useIsWide';
import type { Moves } from './useMoves';

const PHONE = '(width < 768px)';

const DefencePacks = lazyComponent('DefencePacks', () => import('./chargebacks/DefencePacks'));

/** Renders the audit events of an order. */
export type TimelineComponent = ComponentType<{
  orderId: number;
  events: History<HistoryRow<'timeline'>>;
  /** It is folded until a member opens it. */
  folds: boolean;
}>;

const CorrectDialog = lazyComponent('CorrectDialog', () => import('./corrections/CorrectDialog'));

export interface DetailPartsProps {
  order: OrderDetails;
  Timeline: TimelineComponent;
  moves: Moves;
  /** The field of a new remark is to take the focus, and then calls back. */
  isCommenting: boolean;
  onCommented: () => void;
}

/** The parts of an order: side by side, or the work above and the others in tabs. Both keep what was typed. */
export function DetailParts(props: DetailPartsProps) {
  const { order, Timeline, moves, isCommenting, onCommented } = props;
  const isNarrow = !useIsWide();
  const isPhone = useMedia(PHONE);
  const remarkForm = useRemarkForm(order.order_id);
  const viewer = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [isContentOpen, setContentOpen] = useState(false);
  const [isWriting, setWriting] = useState(false);
  const [correcting, setCorrecting] = useState<SectionTitle | null>(null);
  const events = useHistory(order, 'timeline');
  useTabOfAddress();

  const show = (file1: string) => {
    flushSync(() => {
      setShown(file1);
      showTab('documents');
    });
    viewer.current?.scrollIntoView({ block: 'nearest' });
  };
  const logContact = () => {
    setContentOpen(false);
    setWriting(false);
    const typed = { shouldDirty: true };
    remarkForm.setValue('whatsapp', true, typed);
    if (remarkForm.getValues('remark').trim() === '') {
      remarkForm.setValue('remark', 'Wrote to the customer by WhatsApp.', typed);
    }
    // The dialog gives the focus back first.
    requestAnimationFrame(() => remarkForm.setFocus('remark'));
  };
  const isDisputed = order.process_status === 'ChargeBack';
  const hasDefence = order.allowed.make_packs || Boolean(order.chargeback && !isDisputed);
  const tabs = TABS.filter((tab) => tab !== 'defence' || hasDefence);
  const { tab: chosen } = useDetailTab();
  const shownTab = tabs.includes(chosen) ? chosen : 'documents';
  const panelOf = (tab: DetailTab) => ({ tab, shown: isNarrow ? shownTab : null });
  const chargeback = order.chargeback && <ChargebackCard order={order} record={order.chargeback} />;
  const missing = missingDocuments(order).length;
  return (
    <div className={classes.parts}>
      <div className={classes.work}>
        {!isPhone && <OrderActions {...moves} />}
        {isDisputed && chargeback}
        {order.allowed.remark && (
          <AddComment
            order={order}
            form={remarkForm}
            takesFocus={isCommenting}
            onFocused={onCommented}
          />
        )}
        <Mails order={order} onShow={show} onViewContent={() => setContentOpen(true)} />
      </div>
      <div className={classes.main}>
        {isNarrow && (
          <DetailTabs
            tabs={tabs}
            shown={shownTab}
            notes={{ documents: missing > 0 && <Chip tone="danger">{missing} missing</Chip> }}
          />
        )}
        <Panel {...panelOf('documents')} className={classes.papers}>
          <DocumentViewer order={order} shown={shown} onShow={setShown} card={viewer} />
          <Card>
            <ApplicantFiles order={order} onShow={show} />
            <MainDocument order={order} onShow={show} />
          </Card>
        </Panel>
        <Panel {...panelOf('data')} className={classes.data}>
          <PaperChecks order={order} />
          <FactCard
            sections={sectionsOf(order, {
              onWrite: () => setWriting(true),
              onCorrect: order.allowed.correct ? setCorrecting : undefined,
            })}
          />
        </Panel>
        <Panel {...panelOf('histories')} className={classes.histories}>
          <CommentHistory order={order} />
          <EmailHistory order={order} />
          <DownloadHistory order={order} />
          <FailedTries order={order} />
        </Panel>
        {/* Last, because it grows when its evidence arrives. */}
        {hasDefence && (
          <Panel {...panelOf('defence')} className={classes.defence}>
            {!isDisputed && chargeback}
            {order.allowed.make_packs && (
              <Suspense fallback={<Card className={classes.reserved} />}>
                <DefencePacks order={order} />
              </Suspense>
            )}
          </Panel>
        )}
      </div>
      <Panel {...panelOf('timeline')} className={classes.timeline}>
        <Timeline orderId={order.order_id} events={events} folds={!isNarrow} />
      </Panel>
      {isContentOpen && (
        <EmailContent
          orderId={order.order_id}
          onClose={() => setContentOpen(false)}
          onLogContact={logContact}
        />
      )}
      {isWriting && (
        <WhatsappDialog order={order} onClose={() => setWriting(false)} onLogContact={logContact} />
      )}
      {correcting && (
        <Suspense>
          <CorrectDialog order={order} section={correcting} onClose={() => setCorrecting(null)} />
        </Suspense>
      )}
    </div>
  );
}

/** Shows the part that the address names. */
function useTabOfAddress() {
  const { hash } = useLocation();
  useEffect(() => {
    const tab = tabOfHash(hash);
    if (tab === null) return;
    showTab(tab);
    // Once the tab is shown.
    const frame = requestAnimationFrame(() =>
      document.getElementById(partId(tab))?.scrollIntoView({ block: 'start' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [hash]);
}
