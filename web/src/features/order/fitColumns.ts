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
const WIDTHS: Record<Exclude<ColumnKey, 'email'>, number> = {
  orderId: 70,
  name: 150,
  telephone: 138,
  createdAt: 156,
  refundDate: 98,
  processingDate: 98,
  processMonth: 82,
  owner: 104,
  // Below the longest word there is room for one chip.
  status: 146,
  action: 74,
};

/** A name and the email below it. */
const NAME_AND_EMAIL_PX = 154;
const DATE_PX = 98;
const WITH_DELETE_PX = 132;
const MENU_PX = 60;

/** The widths in which nearly every email and every name fits. */
const GOOD_EMAIL_PX = 240;
const GOOD_NAME_PX = 210;

/** A narrower email is better off below the name. */
const EMAIL_BESIDE_NAME_PX = 170;
/** Where there is no name. The second and third width come after the time, and after the telephone. */
const EMAIL_ALONE_PX = [180, 136, 110] as const;
/** The future list has its nine columns at 1440 px. */
const EMAIL_OF_NINE_PX = 110;

interface Draft extends Pick<Fit, 'emailUnderName' | 'timeUnderDate'> {
  keys: ColumnKey[];
  leastEmailPx: number;
}

/** The steps that save width, in this order, until the columns fit. */
const STEPS: readonly ((draft: Draft) => void)[] = [
  (draft) => {
    draft.timeUnderDate = true;
  },
  // With the room of the email, the time may be in one line again.
  (draft) => {
    if (!draft.keys.includes('name')) draft.leastEmailPx = EMAIL_ALONE_PX[1];
    else if (draft.keys.includes('email')) moveEmail(draft);
  },
  (draft) => {
    draft.timeUnderDate = true;
  },
  (draft) => leave(draft, 'telephone'),
  (draft) => leave(draft, 'owner'),
  (draft) => leave(draft, 'processMonth'),
  // The day of processing is the date of the future list.
  (draft) => {
    if (draft.keys.includes('processingDate')) leave(draft, 'createdAt');
  },
  (draft) => {
    draft.leastEmailPx = EMAIL_ALONE_PX[2];
  },
];

function moveEmail(draft: Draft) {
  draft.emailUnderName = true;
  draft.timeUnderDate = false;
  leave(draft, 'email');
}

function leave(draft: Draft, column: ColumnKey) {
  draft.keys = draft.keys.filter((key) => key !== column);
}

function leastEmail(titles: ColumnTitles): number {
  const has = (wanted: ColumnKey) => titles.some(([key]) => key === wanted);
  if (has('processMonth')) return EMAIL_OF_NINE_PX;
  return has('name') ? EMAIL_BESIDE_NAME_PX : EMAIL_ALONE_PX[0];
}

/** Chooses the columns of a list for its width. Number, name, status, a date and the actions never leave. */
export function fitColumns(titles: ColumnTitles, options: FitOptions): Fit {
  const { widthPx, hidden, deletable, status, hasMenu } = options;
  const wanted = titles.filter(([key]) => {
    const name = HIDEABLE[key];
    return name === undefined || !hidden.includes(name);
  });
  const draft: Draft = {
    keys: wanted.map(([key]) => key),
    emailUnderName: false,
    timeUnderDate: false,
    leastEmailPx: leastEmail(titles),
  };
  const leastOf = (key: ColumnKey): number => {
    if (key === 'action') return hasMenu ? MENU_PX : deletable ? WITH_DELETE_PX : WIDTHS.action;
    if (key === 'createdAt' && draft.timeUnderDate) return DATE_PX;
    if (key === 'name' && draft.emailUnderName) return NAME_AND_EMAIL_PX;
    if (key === 'email') return draft.leastEmailPx;
    return WIDTHS[key];
  };
  const needed = () => draft.keys.reduce((sum, key) => sum + leastOf(key), PICK_PX);
  for (const step of STEPS) {
    if (widthPx === 0 || needed() <= widthPx) break;
    step(draft);
  }
  const { keys, emailUnderName, timeUnderDate } = draft;
  const growing = keys.includes('email') ? 'email' : 'name';
  const wished = growing === 'email' || emailUnderName ? GOOD_EMAIL_PX : GOOD_NAME_PX;
  const spare = widthPx - needed() - Math.max(0, wished - leastOf(growing));
  const findingsBelow = widthPx > 0 && status.oneLinePx > WIDTHS.status + Math.max(0, spare);
  const statusPx = findingsBelow ? Math.min(WIDTHS.status, status.twoLinesPx) : status.oneLinePx;
  const left = spare + WIDTHS.status - statusPx;
  const widthOf = (key: ColumnKey): number => {
    if (key === 'status') return statusPx;
    if (key !== 'name' || growing === 'name') return leastOf(key);
    return Math.min(GOOD_NAME_PX, WIDTHS.name + Math.max(0, Math.floor(left / 2)));
  };
  return {
    columns: titles
      .filter(([key]) => keys.includes(key))
      .map(([key, title]) => ({ key, title, widthPx: widthOf(key), grows: key === growing })),
    emailUnderName,
    timeUnderDate,
    findingsBelow,
    twoLines: emailUnderName || timeUnderDate || findingsBelow,
    shown: keys.length + (emailUnderName ? 1 : 0),
    all: titles.length,
  };
}
