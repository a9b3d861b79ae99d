import type { ComponentType } from 'react';
import { lazyComponent } from '@/ui/loadChunk';
import type { Key } from '@/ui/keys';
import { DetailParts, type DetailPartsProps } from './DetailParts';

/** A view of the order: the whole screen below its head. */
export interface OrderView {
  /** Its name in the address, as in `?view=filing`. */
  name: string;
  title: string;
  /** Opens the view, and the first one from it. */
  key?: Key;
  View: ComponentType<DetailPartsProps>;
}

const FilingView = lazyComponent('FilingView', () => import('./filing/FilingView'));

const PapersView = lazyComponent('PapersView', () => import('./papers/PapersView'));

const FIRST: OrderView = { name: 'order', title: 'Order', View: DetailParts };

/** The views of an order in the order of the switch. The first one is shown if the address names none. */
export const VIEWS: readonly OrderView[] = [
  FIRST,
  { name: 'papers', title: 'Documents', key: 'd', View: PapersView },
  { name: 'filing', title: 'Filing', key: 'f', View: FilingView },
];

/** The view that the address names, else the first one. */
export const viewNamed = (name: string | null): OrderView =>
  VIEWS.find((view) => view.name === name) ?? FIRST;

/** The query of the address that shows a view. */
export const searchOf = (view: OrderView): string => (view === FIRST ? '' : `?view=${view.name}`);

/** Where the key of a view leads from the shown one: to the view, or back to the first. */
export const viewAfterKey = (shown: OrderView, pressed: OrderView): OrderView =>
  shown === pressed ? FIRST : pressed;
