import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FoundOrder } from '@/api/types';
import { foundOrdersQuery } from '@/features/order/orderQueries';

const DEBOUNCE_MS = 200;
/** Shorter texts match too many orders to be of use. */
export const MIN_LENGTH = 2;

interface OrderSearch {
  /** The orders that contain the text, never those of an earlier text; none until they are loaded. */
  orders: readonly FoundOrder[];
  isSearching: boolean;
  error: Error | null;
  retry: () => void;
}

/** Finds orders by what is typed, once typing pauses. */
export function useOrderSearch(typed: string): OrderSearch {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const isWanted = typed.length >= MIN_LENGTH;
  const isAsked = isWanted && asked === typed;
  const found = useQuery({ ...foundOrdersQuery(asked), enabled: isAsked });
  return {
    orders: (isAsked && found.data) || NONE,
    isSearching: isWanted && (!isAsked || found.isFetching),
    error: isAsked && !found.isFetching ? found.error : null,
    retry: () => void found.refetch(),
  };
}

const NONE: readonly FoundOrder[] = [];
