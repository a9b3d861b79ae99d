import type { InboxItem } from '@/api/types';
import { useNoticeSwitch } from '@/ui/storedSwitch';

/** The acts of colleagues, before the order. */
export const HAPPENED: Record<InboxItem['kind'], string> = {
  mention: 'mentioned you in',
  given: 'gave you',
  taken: 'gave to somebody else your',
  claim: 'took over from you the filing of',
};

/** True if this browser can show notices outside its window. Over plain http none can. */
export const canNotify = () => 'Notification' in globalThis && isSecureContext;

/** Asks the browser for the permission to show notices. Returns whether it is given. */
export async function allowNotices(): Promise<boolean> {
  return (await Notification.requestPermission()) === 'granted';
}

type Unread = Pick<InboxItem, 'order_number' | 'kind' | 'by'>;

/**
 * Shows the newest entry of the inbox outside the window, if the member asked for it: the number of the order and the name of the
 * colleague alone, because others may see the screen.
 */
export function notifyOfInbox({ order_number, kind, by }: Unread): void {
  const { on } = useNoticeSwitch.getState();
  if (!on || !canNotify() || Notification.permission !== 'granted') return;
  const notice = new Notification('Visadesk', {
    body: `${by} ${HAPPENED[kind]} order ${order_number}`,
    tag: 'visadesk.inbox',
  });
  notice.addEventListener('click', () => {
    window.focus();
    notice.close();
  });
}
