import type { ListSettings } from '@/api/types';
import type { ColumnKey, ColumnTitles } from './columnSets';

/** A column of a list at one width. */
export interface FittedColumn {
  key: ColumnKey;
  title: string;
  widthPx: number;
  /** Takes the room that the others leave. */
  grows: boolean;
}

/** How a list uses the width that it has. */
export interface Fit {
  columns: readonly FittedColumn[];
  /** The email is the second line of the name's cell. */
  emailUnderName: boolean;
  /** The time is the second line of the date's cell. */
  timeUnderDate: boolean;
  /** Whether rows have two lines. */
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
  density: ListSettings['density'];
  /** Whether rows have a Delete. */
  deletable: boolean;
  /** Whether the list has orders with a long status, such as Contact Customer. */
  wideStatus: boolean;
  /** Whether the actions of a row are in its menu. */
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
};

/** The least widths in rows of one line and of two. */
const WIDTHS: Record<ColumnKey, readonly [oneLine: number, twoLines: number]> = {
  orderId: [70, 70],
  name: [150, 140],
  email: [190, 110],
  telephone: [138, 138],
  createdAt: [156, 156],
  refundDate: [112, 108],
  processingDate: [106, 106],
  processMonth: [98, 88],
  // In rows of one line the chip is beside the status, in rows of two lines below it.
  status: [190, 146],
  action: [74, 74],
};

const WIDE_STATUS_PX = 270;
const DATE_PX = 92;
const WITH_DELETE_PX = 132;
const MENU_PX = 60;

type Draft = Pick<Fit, 'emailUnderName' | 'timeUnderDate' | 'twoLines'> & { keys: ColumnKey[] };

/** What gives way, in this order, until the columns fit. */
const STEPS: readonly ((draft: Draft) => void)[] = [
  (draft) => {
    draft.twoLines = true;
    draft.timeUnderDate = true;
  },
  (draft) => {
    if (!draft.keys.includes('name') || !draft.keys.includes('email')) return;
    draft.emailUnderName = true;
    leave(draft, 'email');
  },
  (draft) => leave(draft, 'telephone'),
  (draft) => leave(draft, 'processMonth'),
  // The day of processing is the date of the future list.
  (draft) => {
    if (draft.keys.includes('processingDate')) leave(draft, 'createdAt');
  },
];

function leave(draft: Draft, column: ColumnKey) {
  draft.keys = draft.keys.filter((key) => key !== column);
}

/** Chooses the columns of a list for its width. Number, name, status, a date and the actions never leave. */
export function fitColumns(titles: ColumnTitles, options: FitOptions): Fit {
  const { widthPx, hidden, density, deletable, wideStatus, hasMenu } = options;
  const wanted = titles.filter(([key]) => {
    const name = HIDEABLE[key];
    return name === undefined || !hidden.includes(name);
  });
  const draft: Draft = {
    keys: wanted.map(([key]) => key),
    emailUnderName: false,
    timeUnderDate: false,
    twoLines: false,
  };
  const widthOf = (key: ColumnKey): number => {
    if (key === 'action') return hasMenu ? MENU_PX : deletable ? WITH_DELETE_PX : WIDTHS.action[0];
    if (key === 'createdAt' && draft.timeUnderDate) return DATE_PX;
    const lines = draft.twoLines || (key === 'status' && density === 'comfortable') ? 1 : 0;
    if (key === 'status' && lines === 0 && wideStatus) return WIDE_STATUS_PX;
    return WIDTHS[key][lines];
  };
  const needed = () => draft.keys.reduce((sum, key) => sum + widthOf(key), PICK_PX);
  for (const step of STEPS) {
    if (widthPx === 0 || needed() <= widthPx) break;
    step(draft);
  }
  const growing = draft.keys.includes('email') ? 'email' : 'name';
  const { keys, emailUnderName, timeUnderDate, twoLines } = draft;
  return {
    columns: titles
      .filter(([key]) => keys.includes(key))
      .map(([key, title]) => ({ key, title, widthPx: widthOf(key), grows: key === growing })),
    emailUnderName,
    timeUnderDate,
    twoLines,
    shown: keys.length + (emailUnderName ? 1 : 0),
    all: titles.length,
  };
}
