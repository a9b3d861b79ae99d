import type { OrderSummary } from '@/api/types';
import type { Column } from '@/ui/column';

/** The columns of the lists. `columns.tsx` renders them. */
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

/** The columns of a list in order, each with its title there and the widths that differ there. */
export type ColumnTitles = readonly (readonly [
  ColumnKey,
  title: string,
  widths?: Partial<Pick<Column<OrderSummary>, 'widthPx' | 'narrowPx'>>,
])[];

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
  ['name', 'Name', { widthPx: 112, narrowPx: 64 }],
  ['email', 'Email'],
  ['telephone', 'Telephone', { narrowPx: 90 }],
  ['createdAt', 'Date and Time', { narrowPx: 84 }],
  ['processingDate', 'Processing Date'],
  ['processMonth', 'Process Month'],
  ['status', 'Status', { widthPx: 76, narrowPx: 64 }],
  // Nine columns leave room for one button beside the other only on wide screens.
  ['action', 'Action', { narrowPx: 64 }],
];
