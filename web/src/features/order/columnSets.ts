/** The columns of the lists. `fitColumns.ts` chooses those that fit, `columns.tsx` renders them. */
export type ColumnKey =
  | 'orderId'
  | 'name'
  | 'email'
  | 'telephone'
  | 'createdAt'
  | 'refundDate'
  | 'processingDate'
  | 'processMonth'
  | 'status'
  | 'action';

/** The columns of a list in order, each with its title there. */
export type ColumnTitles = readonly (readonly [ColumnKey, title: string])[];

export const standard: ColumnTitles = [
  ['orderId', 'Order Id'],
  ['name', 'Name'],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date & Time'],
  ['status', 'Status'],
  ['action', 'Action'],
];

/** Contact Customer never shows a telephone number. */
export const contact: ColumnTitles = standard.filter(([key]) => key !== 'telephone');

export const refund: ColumnTitles = [
  ['orderId', 'Order Id'],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date & Time'],
  ['refundDate', 'Refund Date'],
  ['status', 'Status'],
  ['action', 'Action'],
];

export const chargeBack: ColumnTitles = [
  ['orderId', 'Order Id'],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date and Time'],
  ['status', 'Status'],
  ['action', 'Action'],
];

export const future: ColumnTitles = [
  ['orderId', 'Order ID'],
  ['name', 'Name'],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date and Time'],
  ['processingDate', 'Processing Date'],
  ['processMonth', 'Process Month'],
  ['status', 'Status'],
  ['action', 'Action'],
];
