import { useEffect, useLayoutEffect, useRef } from 'react';
import type { FormAction, OrderAction } from './orderActions';

/** Something that the present screen can do now, as the command palette lists it. */
export interface Offer {
  label: string;
  /** The object of the action, such as `3 selected`. */
  about?: string;
  key?: string;
  isDanger?: boolean;
  /** It asks before it runs. */
  asks?: boolean;
  run: () => void;
}

type Source = () => readonly Offer[];

const sources = new Set<Source>();

/** Offers actions while the component is shown. `offers` is called when the command palette opens, not before. */
export function useOffers(offers: Source): void {
  const latest = useRef(offers);
  useLayoutEffect(() => {
    latest.current = offers;
  });
  useEffect(() => {
    const source = () => latest.current();
    sources.add(source);
    return () => {
      sources.delete(source);
    };
  }, []);
}

/** Returns the actions that the present screen offers. */
export function currentOffers(): Offer[] {
  return [...sources].flatMap((source) => source());
}

/** Returns true if a question or a form comes before the action runs. */
export function asksFirst(action: OrderAction | FormAction): boolean {
  return 'form' in action || action.question !== undefined || action.giving !== undefined;
}

/** An action of the registry as an offer. */
export function offerOf(action: OrderAction | FormAction, about: string, run: () => void): Offer {
  const { label, fullLabel = label, key, kind } = action;
  return {
    label: fullLabel,
    about,
    ...(key && { key }),
    isDanger: kind === 'danger',
    asks: asksFirst(action),
    run,
  };
}
