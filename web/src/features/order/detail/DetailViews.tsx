import { Activity, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { OrderDetails } from '@/api/types';
import { statusLabel } from '@/i18n/statusLabel';
import { Card } from '@/ui/Card';
import { useHotkeys } from '@/ui/useHotkeys';
import { useMedia } from '@/ui/useMedia';
import { ActionBar } from './ActionBar';
import type { TimelineComponent } from './DetailParts';
import classes from './layout.module.css';
import { MoveSheet } from './MoveSheet';
import { useMoves } from './useMoves';
import { searchOf, VIEWS, type OrderView } from './views';
import { useView } from './ViewSwitch';

const PHONE = '(width < 768px)';

interface DetailViewsProps {
  order: OrderDetails;
  Timeline: TimelineComponent;
  /** The sheet with all actions is open. */
  isMoving: boolean;
  onMove: (isMoving: boolean) => void;
}

/**
 * The view that the address names, and the actions on the order in each view. A view that was left keeps what was typed, and its keys do
 * nothing.
 */
export function DetailViews({ order, Timeline, isMoving, onMove }: DetailViewsProps) {
  const isPhone = useMedia(PHONE);
  const moves = useMoves(order);
  const shown = useView();
  const [opened, setOpened] = useState([shown]);
  if (!opened.includes(shown)) setOpened([...opened, shown]);
  const views = useFocusOfView(shown);
  const { isCommenting, comment, onCommented } = useCommenting(order);
  const move = moves.own.length + moves.moves.length > 0 ? () => onMove(true) : undefined;
  const hasBar = isPhone && Boolean(comment ?? order.telephone ?? move);
  return (
    <div ref={views} tabIndex={-1} className={classes.views} data-bar={hasBar || undefined}>
      {VIEWS.filter((view) => opened.includes(view)).map((view) => (
        <Activity key={view.name} mode={view === shown ? 'visible' : 'hidden'}>
          <Suspense fallback={<Card className={classes.reserved} />}>
            <view.View
              order={order}
              Timeline={Timeline}
              moves={moves}
              isCommenting={isCommenting}
              onCommented={onCommented}
            />
          </Suspense>
        </Activity>
      ))}
      {hasBar && <ActionBar order={order} moves={moves} onComment={comment} onMove={move} />}
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

/** After a change of view that left the focus nowhere, the keyboard continues from the view. */
function useFocusOfView(shown: OrderView) {
  const views = useRef<HTMLDivElement>(null);
  const last = useRef(shown);
  useEffect(() => {
    if (last.current === shown) return;
    last.current = shown;
    const focused = document.activeElement;
    if (focused === document.body || !focused?.checkVisibility())
      views.current?.focus({ preventScroll: true });
  }, [shown]);
  return views;
}

/** Leads to the field of a new remark, with the key of it. `comment` is undefined where the member may not remark. */
function useCommenting({ allowed }: OrderDetails) {
  const [isCommenting, setCommenting] = useState(false);
  const shown = useView();
  const { state } = useLocation();
  const navigate = useNavigate();
  const comment = () => {
    setCommenting(true);
    // At once: what is typed next belongs to the field.
    if (searchOf(shown) !== '') void navigate({ search: '' }, { state, flushSync: true });
  };
  useHotkeys({
    c: (event) => {
      if (!allowed.remark) return;
      // The letter must not be typed into the field.
      event.preventDefault();
      comment();
    },
  });
  return {
    /** The field is to take the focus as soon as it is shown. */
    isCommenting,
    onCommented: useCallback(() => setCommenting(false), []),
    comment: allowed.remark ? comment : undefined,
  };
}
