import type { ColumnKey, ColumnTitles } from './columnSets';
import type { StatusWidth } from './statusWidth';

/** A column of a list at one width. */
export interface FittedColumn {
  key: ColumnKey;
  title: string;
  widthPx: number;
  /** Takes the room that the others leave. */
  grows: boolean;
}

/** The layout of a list for the width that it has. */
export interface Fit {
  columns: readonly FittedColumn[];
  /** The email is the second line of the name's cell. */
  emailUnderName: boolean;
  /** The time is the second line of the date's cell. */
  timeUnderDate: boolean;
  /** The problems of an order are the second line of its status. */
  findingsBelow: boolean;
  /** Rows have two lines. */
  twoLines: boolean;
  /** The columns that the list shows in some way, of how many. */
  shown: number;
  all: number;
}

interface FitOptions {
  /** In CSS pixels; 0 while it is not known, which leaves out nothing. */
  widthPx: number;
  /** The columns that the member hides. */
  hidden: readonly string[];
  /** Rows have a Delete. */
  deletable: boolean;
  /** The width of the statuses of its rows. */
  status: StatusWidth;
  /** The actions of a row are in its menu. */
  hasMenu: boolean;
}

const PICK_PX = 40;

/** The names of the columns that a member may hide, as the server spells them. */
export const HIDEABLE: Partial<Record<ColumnKey, string>> = {
  email: 'email',
  telephone: 'telephone',
  refundDate: 'refund_date',
  processingDate: 'processing_date',
  processMonth: 'process_month',
  owner: 'owner',
};

/** The least widths. */
const LEAST_PX: Record<ColumnKey, number> = {
  orderId: 70,
  name: 150,
  email: 170,
  telephone: 138,
  createdAt: 156,
  refundDate: 98,
  processingDate: 98,
  processMonth: 82,
  comment: 180,
  owner: 104,
  // Below the longest word there is room for one chip.
  status: 146,
  action: 74,
};

/** A name and the email below it. */
const NAME_AND_EMAIL_PX = 154;
/** An email that has no name to be below. */
const EMAIL_ALONE_PX = 110;
const DATE_PX = 98;
const WITH_DELETE_PX = 132;
const MENU_PX = 60;

/** The widths in which nearly every email and every name fits. */
const GOOD_EMAIL_PX = 240;
const GOOD_NAME_PX = 210;

/** The columns that leave, the one with the lowest priority first; in the future list the day of processing is the date. */
const LEAVING: readonly ColumnKey[] = [
  'telephone',
  'processMonth',
  'comment',
  'owner',
  'createdAt',
];

/**
 * Chooses the columns of a list for its width: the time moves below the date, the email below the name, and then columns leave
 * until the rest fits.
 */
export function fitColumns(titles: ColumnTitles, options: FitOptions): Fit {
  const { widthPx, hidden, deletable, status, hasMenu } = options;
  const has = (key: ColumnKey) => titles.some(([one]) => one === key);
  const isHidden = (key: ColumnKey) => hidden.includes(HIDEABLE[key] ?? '');
  let keys = titles.map(([key]) => key).filter((key) => !isHidden(key));
  let [timeUnderDate, isEmailNarrow] = [false, false];
  const leastOf = (key: ColumnKey): number => {
    if (key === 'action') return hasMenu ? MENU_PX : deletable ? WITH_DELETE_PX : LEAST_PX.action;
    if (key === 'createdAt' && timeUnderDate) return DATE_PX;
    // The future list has its nine columns at 1440 px.
    if (key === 'email' && (isEmailNarrow || has('processMonth'))) return EMAIL_ALONE_PX;
    return key === 'name' && emailUnderName() ? NAME_AND_EMAIL_PX : LEAST_PX[key];
  };
  const emailUnderName = () => isEmailNarrow && has('name') && !isHidden('email');
  const needed = () => keys.reduce((sum, key) => sum + leastOf(key), PICK_PX);
  const isTooWide = () => widthPx > 0 && needed() > widthPx;
  timeUnderDate = isTooWide();
  isEmailNarrow = isTooWide();
  if (emailUnderName()) keys = keys.filter((key) => key !== 'email');
  for (const leaving of LEAVING) {
    if (isTooWide()) keys = keys.filter((key) => key !== leaving);
  }
  const isBelow = emailUnderName();
  const growing = keys.includes('email') ? 'email' : 'name';
  const wished = growing === 'email' || isBelow ? GOOD_EMAIL_PX : GOOD_NAME_PX;
  const spare = widthPx - needed() - Math.max(0, wished - leastOf(growing));
  const findingsBelow = widthPx > 0 && status.oneLinePx > LEAST_PX.status + Math.max(0, spare);
  const statusPx = findingsBelow ? Math.min(LEAST_PX.status, status.twoLinesPx) : status.oneLinePx;
  const left = spare + LEAST_PX.status - statusPx;
  const widthOf = (key: ColumnKey): number => {
    if (key === 'status') return statusPx;
    if (key !== 'name' || growing === 'name') return leastOf(key);
    return Math.min(GOOD_NAME_PX, LEAST_PX.name + Math.max(0, Math.floor(left / 2)));
  };
  return {
    columns: titles
      .filter(([key]) => keys.includes(key))
      .map(([key, title]) => ({ key, title, widthPx: widthOf(key), grows: key === growing })),
    emailUnderName: isBelow,
    timeUnderDate,
    findingsBelow,
    twoLines: isBelow || timeUnderDate || findingsBelow,
    shown: keys.length + (isBelow ? 1 : 0),
    all: titles.length,
  };
}
