import type { ChargebackDeadline, OrderSummary } from '@/api/types';
import type { Tone } from '@/ui/Chip';
import { plainDate } from '@/ui/times';
import { deadlineParts, deadlineTone } from './deadline';
import { placeText } from './foundIn';

/** A text that a list shows about an order beside its status. */
export interface Finding {
  text: string;
  /** The rest of the text, which a narrow phone leaves out. */
  more?: string;
  /** The colour of its chip; undefined for plain text, where nothing is wrong. */
  tone: Tone | undefined;
  title?: string;
}

/** Returns where a search found its text, the problems of the order, the worst first, and the result of its chargeback. */
export function findingsOf(row: OrderSummary): Finding[] {
  const {
    missing_documents: missing,
    mail_problem: mail,
    papers_problem: papers,
    visa_problem: visa,
    chargeback,
  } = row;
  const found: Finding[] = [];
  const place = placeText(row.found_in);
  if (place) found.push({ text: place, tone: undefined });
  // Why the order is the first of its list.
  if (row.papers_returned) {
    found.push({
      text: 'Documents are in',
      tone: 'info',
      title: 'The applicant has sent everything.',
    });
  }
  if (chargeback) found.push(deadlineOf(chargeback));
  if (mail) {
    const isFailed = mail === 'failed';
    found.push({
      text: isFailed ? 'Email failed' : 'Email unknown',
      tone: isFailed ? 'danger' : 'warn',
    });
  }
  if (visa) {
    found.push({
      text: visa === 'differs' ? 'Visa differs' : 'Visa used before',
      tone: 'danger',
      title: 'The check of the issued visa found it. Open the order to review it.',
    });
  }
  if (papers) {
    found.push({
      text: papers === 'differs' ? 'Passport differs' : 'Document not allowed',
      tone: 'danger',
      title: 'A check of the documents found it. Open the order to review it.',
    });
  }
  const { unclear_fields: unclear } = row;
  if (unclear) {
    found.push({
      text: unclear === 1 ? '1 field unclear' : `${unclear} fields unclear`,
      tone: 'warn',
      title:
        'The sales site sent it in a form that is not understood. Open the order to review it.',
    });
  }
  if (missing) {
    found.push({
      // The word is short, so that it leaves the email its room.
      text: missing === 1 ? '1 doc missing' : `${missing} docs missing`,
      tone: 'warn',
      title:
        missing === 1
          ? 'A required document is missing.'
          : `${missing} required documents are missing.`,
    });
  }
  return found;
}

/** The time left to answer a chargeback; once decided, its outcome. */
function deadlineOf(deadline: ChargebackDeadline): Finding {
  const { working_deadline: ours, respond_by: theirs, days_left: days } = deadline;
  const [text, more] = deadlineParts(deadline);
  if (typeof days !== 'number') return { text, tone: undefined };
  return {
    text,
    more,
    tone: deadlineTone(deadline),
    title: `Answer by ${plainDate(ours)}; the bank waits until ${plainDate(theirs)}`,
  };
}
