import { useSidebarSwitch } from '@/ui/storedSwitch';
import { useMedia } from '@/ui/useMedia';

/** Returns true where an order has room for columns. The style sheets follow the attribute `data-wide` of its screen. */
export function useIsWide(): boolean {
  const hasSidebar = useSidebarSwitch(({ on }) => on);
  return !useMedia(hasSidebar ? '(width < 1216px)' : '(width < 992px)');
}
