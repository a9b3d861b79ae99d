/** Why the orders of a list need a member of staff. */
export const NEEDS = ['disputes', 'emails', 'untouched'] as const;
export type Needs = (typeof NEEDS)[number];

interface NeedText {
  title: string;
  /** Shown where no order has the need. */
  nothing: string;
}

export const NEED_TEXTS: Record<Needs, NeedText> = {
  disputes: { title: 'Open disputes', nothing: 'No dispute is open.' },
  emails: { title: 'Emails that did not arrive', nothing: 'Every email was sent.' },
  untouched: {
    title: 'Untouched for three days',
    nothing: 'Every order in work was touched in the last three days.',
  },
};
