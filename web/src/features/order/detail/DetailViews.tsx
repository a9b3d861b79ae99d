import { Activity, Suspense, useState } from 'react';
import type { OrderDetails, UserInfo } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import { Card } from '@/ui/Card';
import { useMedia } from '@/ui/useMedia';
import { ActionBar } from './ActionBar';
import type { TimelineComponent } from './DetailParts';
import classes from './layout.module.css';
import { MoveSheet } from './MoveSheet';
import { useMoves } from './useMoves';
import { VIEWS } from './views';
import { useView } from './ViewSwitch';

const PHONE = '(width < 768px)';

interface DetailViewsProps {
  order: OrderDetails;
  me: UserInfo;
  Timeline: TimelineComponent;
  /** The sheet with all actions is open. */
  isMoving: boolean;
  onMove: (isMoving: boolean) => void;
}

/**
 * The view that the address names, and the actions on the order in each view. A view that was left keeps what was typed, and its keys do
 * nothing.
 */
export function DetailViews({ order, me, Timeline, isMoving, onMove }: DetailViewsProps) {
  const isPhone = useMedia(PHONE);
  const moves = useMoves(order, me);
  const shown = useView();
  const [opened, setOpened] = useState([shown]);
  if (!opened.includes(shown)) setOpened([...opened, shown]);
  const hasMoves = moves.own.length + moves.moves.length > 0;
  return (
    <div className={classes.views} data-bar={(isPhone && hasMoves) || undefined}>
      {VIEWS.filter((view) => opened.includes(view)).map((view) => (
        <Activity key={view.name} mode={view === shown ? 'visible' : 'hidden'}>
          <Suspense fallback={<Card className={classes.reserved} />}>
            <view.View order={order} me={me} Timeline={Timeline} moves={moves} />
          </Suspense>
        </Activity>
      ))}
      {isPhone && hasMoves && <ActionBar moves={moves} onMove={() => onMove(true)} />}
      {isMoving && (
        <MoveSheet
          {...moves}
          orderId={order.order_id}
          folder={statusLabel(order.process_status)}
          onClose={() => onMove(false)}
        />
      )}
      {moves.dialogs}
    </div>
  );
}
