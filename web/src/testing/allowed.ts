import type { Allowed, AllowedInList } from '@/api/types';

/** The server's answer for an unassigned order in a list: it can be assigned and deleted. */
export function allowedInList(fields: Partial<AllowedInList> = {}): AllowedInList {
  return {
    assign_to_me: true,
    assign_to_others: true,
    reassign: false,
    hand_over: false,
    unassign: false,
    delete: true,
    restore: false,
    refund: false,
    ...fields,
  };
}

/** The server's answer for an unassigned order in Awaiting Customer. */
export function allowedOnDetail(fields: Partial<Allowed> = {}): Allowed {
  return {
    ...allowedInList(),
    moves: [
      'AwaitingGovt',
      'Contact Customer',
      'Customer Called',
      'Completed',
      'Refunds',
      'ChargeBack',
    ],
    remark: true,
    correct: true,
    upload_visa: true,
    send_mail: true,
    take_back_refund: false,
    edit_transaction: false,
    save_chargeback: false,
    make_packs: false,
    ...fields,
  };
}
