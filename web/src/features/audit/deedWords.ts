import { statusLabel } from '@/i18n/statusLabel';
import type { Deed } from '@/api/types';

/** What the actions of the audit are called. */
const WORDS: Readonly<Record<string, string>> = {
  'order.arrive': 'Order came in',
  'order.pay': 'Order paid',
  'order.move': 'Order moved',
  'order.move (permanent delete asked)': 'Order deleted (permanent delete asked)',
  'order.assign': 'Order assigned',
  'order.restore': 'Order restored',
  'order.refund': 'Order refunded',
  'order.transaction': 'Transaction details saved',
  'chargeback.open': 'Chargeback opened',
  'chargeback.save': 'Chargeback saved',
  'chargeback.withdraw': 'Chargeback withdrawn',
  'chargeback.pack': 'Defence Pack made',
  'remark.add': 'Comment added',
  'document.take-in': 'Document received',
  'document.upload_visa': 'Visa uploaded',
  'mail.resend': 'Mail sent again',
  'mail.download_link': 'Download link sent',
  'gateway.switch': 'Gateway switched',
  'team.add': 'Team member added',
  'team.update': 'Team member changed',
  'team.delete': 'Team member deleted',
  'report.export': 'Report downloaded',
  'staff.sign_in': 'Signed in',
  'staff.sign_in_failed': 'Sign-in failed',
  'staff.sign_out': 'Signed out',
  'staff.change_password': 'Password changed',
  'staff.denied': 'Access denied',
};

/** Every action that has words. */
export const knownActions: readonly string[] = Object.keys(WORDS);

/** An action in words; its own name while it has none. */
export function wordsOf(action: string): string {
  return WORDS[action] ?? action;
}

/** What changed: from what, to what. */
export function changeOf({ action, before, after }: Pick<Deed, 'action' | 'before' | 'after'>) {
  // Its number means nothing to people.
  if (action === 'remark.add') return '';
  if (action === 'order.assign') return `${before ?? 'nobody'} → ${after ?? 'nobody'}`;
  // The kind of a document is one word on the wire.
  if (action === 'document.take-in') return after?.replaceAll('_', ' ') ?? '';
  const read = action.startsWith('order.') ? statusLabel : String;
  return [before, after].flatMap((text) => (text ? [read(text)] : [])).join(' → ');
}
