import { useHotkeys } from '@/ui/useHotkeys';
import type { OrderAction } from './orderActions';

/** Binds the keys of `actions`, each of which calls `run` with its action. */
export function useActionKeys(
  actions: readonly OrderAction[],
  run: (action: OrderAction) => void,
): void {
  useHotkeys(
    Object.fromEntries(
      actions.flatMap((action) => (action.key ? [[action.key, () => run(action)]] : [])),
    ),
  );
}
