/** What a column shows. `columns.tsx` draws it. */
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

/** The columns of a list in order, each with the title it bears there and, where it matters, its width. */
export type ColumnTitles = readonly (readonly [ColumnKey, title: string, widthPx?: number])[];

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
  ['name', 'Name', 112],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date and Time'],
  ['processingDate', 'Processing Date'],
  ['processMonth', 'Process Month'],
  ['status', 'Status', 76],
  ['action', 'Action'],
];
