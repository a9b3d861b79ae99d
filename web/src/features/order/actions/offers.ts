import { useEffect, useLayoutEffect, useRef } from 'react';
import type { OrderAction } from './orderActions';

/** Something that the present screen can do now, as the command palette lists it. */
export interface Offer {
  label: string;
  /** What it is done with, such as `3 selected`. */
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

/** What the present screen offers. */
export function currentOffers(): Offer[] {
  return [...sources].flatMap((source) => source());
}

/** An action of the registry as an offer. */
export function offerOf(action: OrderAction, about: string, run: () => void): Offer {
  const { label, fullLabel = label, key, kind, question } = action;
  return {
    label: fullLabel,
    about,
    ...(key && { key: key[0] }),
    isDanger: kind === 'danger',
    asks: question !== undefined,
    run,
  };
}
