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
  | 'comment'
  | 'owner'
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

/** Lists with orders of several members say whose each is. */
export const owned: ColumnTitles = withOwner(standard);

/** Contact Customer never shows a telephone number. */
export const contact: ColumnTitles = owned.filter(([key]) => key !== 'telephone');

export const refund: ColumnTitles = [
  ['orderId', 'Order Id'],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date & Time'],
  ['refundDate', 'Refund Date'],
  ['status', 'Status'],
  ['action', 'Action'],
];

export const chargeBack: ColumnTitles = withOwner([
  ['orderId', 'Order Id'],
  ['email', 'Email'],
  ['telephone', 'Telephone'],
  ['createdAt', 'Date and Time'],
  ['status', 'Status'],
  ['action', 'Action'],
]);

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

/** The owner is the last before the status. */
function withOwner(columns: ColumnTitles): ColumnTitles {
  return columns.flatMap((column) =>
    column[0] === 'status' ? [['owner', 'Owner'] as const, column] : [column],
  );
}

/** The same list with the newest comments, before the owner. */
export function withComments(columns: ColumnTitles): ColumnTitles {
  const before = columns.some(([key]) => key === 'owner') ? 'owner' : 'status';
  return columns.flatMap((column) =>
    column[0] === before ? [['comment', 'Newest comment'] as const, column] : [column],
  );
}
