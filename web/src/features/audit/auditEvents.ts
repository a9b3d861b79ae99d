import { statusLabel } from '@/i18n/statusLabel';
import type { AuditEvent } from '@/api/types';

/** The labels of the audit events. */
const WORDS: Readonly<Record<string, string>> = {
  'order.arrive': 'Order received',
  'order.source': 'Source of an order by phone',
  'backup.restore': 'Installation restored from a backup',
  'order.pay': 'Order paid',
  'order.move': 'Order moved',
  'order.move (permanent delete asked)': 'Order deleted (permanent delete asked)',
  'order.assign': 'Order assigned',
  'order.restore': 'Order restored',
  'order.undo': 'Order change undone',
  'order.undo_assign': 'Assignment undone',
  'order.refund': 'Order refunded',
  'refund.request': 'Refund requested',
  'refund.approve': 'Refund approved',
  'refund.decline': 'Refund declined',
  'refund.withdraw': 'Refund request withdrawn',
  'refund.stop_mail': 'Refund email stopped',
  'refund.send_mail': 'Refund email sent later',
  'refund.take_back': 'Refund taken back',
  'order.correct': 'Order corrected',
  'order.transaction': 'Transaction details saved',
  'chargeback.open': 'Chargeback opened',
  'chargeback.save': 'Chargeback saved',
  'chargeback.withdraw': 'Chargeback withdrawn',
  'chargeback.pack': 'Defence Pack generated',
  'remark.add': 'Comment added',
  'document.take-in': 'Document received',
  'document.rewrite': 'File stored rewritten',
  'document.upload_visa': 'Visa uploaded',
  'visa.check': 'Visa differs from its order',
  'visa.hold': 'Visa held back',
  'visa.look': 'Visa checked',
  'visa.deliver': 'Visa delivered after waiting',
  'filing.file': 'Application filed',
  'filing.refuse': 'Application refused by the portal',
  'visa.withdraw': 'Visa withdrawn',
  'visa.read': 'Visa read',
  'paper.check': 'Document checked',
  'paper.look': 'Check reviewed',
  'paper.portal_version': 'Portal’s version of the photograph made',
  'paper.request': 'Check of the documents requested',
  'paper.state': 'Document reviewed',
  'paper.ask': 'Documents requested from the applicant',
  'paper.send': 'Document sent by the applicant',
  'paper.send_anyway': 'Document sent despite warning',
  'paper.complete': 'All documents received',
  'paper.withdraw': 'Request for documents taken back',
  'paper.reopen': 'Request for documents opened again',
  'paper.remind': 'Applicant reminded of documents',
  'paper.call': 'Applicant to be called about documents',
  'canned_text.save': 'Canned text of all saved',
  'canned_text.delete': 'Canned text of all deleted',
  'saved_view.save': 'Shared view saved',
  'saved_view.delete': 'Shared view deleted',
  'paper_reason.save': 'Reason for documents saved',
  'paper_reason.archive': 'Reason for documents archived',
  'mail.resend': 'Email resent',
  'mail.download_link': 'Download link sent',
  'mail.revoke_links': 'Emailed links revoked',
  'gateway.switch': 'Gateway switched',
  'api-key.add': 'API key created',
  'api-key.revoke': 'API key revoked',
  'api-key.refused': 'API key refused',
  'team.add': 'Team member added',
  'team.update': 'Team member changed',
  'team.delete': 'Team member deleted',
  'team.second_factor_removed': 'Second factor of a team member removed',
  'report.export': 'Report downloaded',
  'order.export': 'List download started',
  'order.export_end': 'List downloaded',
  'staff.sign_in': 'Signed in',
  'staff.sign_in_failed': 'Sign-in failed',
  'staff.sign_in_challenged': 'Second factor asked for',
  'staff.sign_out': 'Signed out',
  'staff.end_session': 'Session ended',
  'staff.confirmed': 'Identity confirmed',
  'staff.confirmation_failed': 'Confirmation failed',
  'staff.change_password': 'Password changed',
  'staff.second_factor_added': 'Second factor added',
  'staff.second_factor_removed': 'Second factor removed',
  'staff.recovery_codes_made': 'Recovery codes made',
  'staff.passkey_added': 'Passkey added',
  'staff.passkey_removed': 'Passkey removed',
  'staff.passkey_copied': 'Passkey refused as a copy',
  'staff.denied': 'Access denied',
  'staff.row_budget': 'Row budget reached',
};

export const knownEvents: readonly string[] = Object.keys(WORDS);

/** The label of an event; its name while it has none. */
export function eventLabel(action: string): string {
  return WORDS[action] ?? action;
}

/** The actions and folders that are a loss for the customer or the agency. */
const LOSSES = new Set(['order.refund', 'chargeback.open', 'Deleted', 'Refunds', 'ChargeBack']);

/**
 * Returns the tone of an event of an order: none for work of staff, `quiet` for events that came by
 * themselves or by mail, `danger` for a loss.
 */
export function eventTone({ action, after }: AuditEvent): 'danger' | 'quiet' | undefined {
  if (LOSSES.has(action) || (action === 'order.move' && LOSSES.has(after ?? ''))) return 'danger';
  const [noun] = action.split('.');
  return noun === 'mail' || noun === 'paper' || action === 'document.take-in' ? 'quiet' : undefined;
}

/** The change of an event: `before → after`. */
export function changeText({
  action,
  before,
  after,
}: Pick<AuditEvent, 'action' | 'before' | 'after'>) {
  // The id of a remark means nothing to people.
  if (action === 'remark.add') return '';
  if (action === 'order.assign' || action === 'order.undo_assign')
    return `${before ?? 'Unassigned'} → ${after ?? 'Unassigned'}`;
  // The API spells the kind of a document with underscores.
  if (action === 'document.take-in') return after?.replaceAll('_', ' ') ?? '';
  if (action === 'order.correct') return correctionText(before, after);
  const read = action.startsWith('order.') ? statusLabel : String;
  return [before, after].flatMap((text) => (text ? [read(text)] : [])).join(' → ');
}

/** `Phone number: 8•••89 → 8•••55`, from two texts that each begin with the field's name. */
function correctionText(before?: string | null, after?: string | null): string {
  const [field = '', was = ''] = (before ?? '').split(': ');
  const [, is = ''] = (after ?? '').split(': ');
  const label = field.replaceAll('_', ' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${was} → ${is}`;
}
