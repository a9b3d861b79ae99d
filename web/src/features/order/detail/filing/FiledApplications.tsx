import type { FiledApplication, OrderDetails } from '@/api/types';
import { CopyButton } from '@/ui/CopyButton';
import { formatAmount } from '@/ui/numbers';
import { Time } from '@/ui/Time';
import { FileLink } from '../FileLink';
import classes from './filing.module.css';
import { FilingPart } from './FilingPart';

interface FiledApplicationsProps {
  order: OrderDetails;
  filings: readonly FiledApplication[];
}

const ENDS = {
  refile: 'refused, to be filed again',
  refund: 'refused, to be refunded',
  replaced: 'replaced by a later one',
} as const;

/** The applications of an order so far, the newest first. */
export function FiledApplications({ order, filings }: FiledApplicationsProps) {
  if (filings.length === 0) return null;
  return (
    <FilingPart id="filed-applications" title="Applications so far">
      <ul className={classes.filed}>
        {filings.map((filed) => (
          <li key={`${filed.application_number} ${filed.filed_at}`}>
            <FiledAs order={order} filed={filed} />
          </li>
        ))}
      </ul>
    </FilingPart>
  );
}

interface FiledAsProps {
  order: OrderDetails;
  filed: FiledApplication;
  /** Another application of the order is open as well. */
  isOneOfTwo?: boolean;
}

/** An application: its number, its fee, who filed it, and how it ended. */
export function FiledAs({ order, filed, isOneOfTwo = false }: FiledAsProps) {
  const { application_number: number, fee, outcome, reason } = filed;
  const receipt = order.documents.find(({ file1 }) => file1 === filed.receipt_file1);
  return (
    <div className={classes.application}>
      <p>
        <b>
          <bdi translate="no">{number}</bdi>
        </b>{' '}
        <CopyButton text={number} what="Application number" />
        {outcome && <span> {ENDS[outcome]}</span>}
        {isOneOfTwo && <span> {filed.is_current ? 'current' : 'second application'}</span>}
      </p>
      {reason && (
        <p>
          <bdi>{reason}</bdi>
        </p>
      )}
      <p className={classes.soft}>
        Filed by <bdi>{filed.filed_by}</bdi> <Time iso={filed.filed_at} />
        {fee && <span className={classes.amount}> · {amountText(fee)}</span>}
        {receipt && (
          <>
            {' · '}
            <FileLink orderId={order.order_id} file1={receipt.file1} link={receipt.link}>
              Receipt
            </FileLink>
          </>
        )}
      </p>
    </div>
  );
}

/** `IDR 1,500,000.00` of `IDR 1500000.00`. */
export function amountText(fee: string): string {
  const [currency = '', amount = ''] = fee.split(' ');
  return `${currency} ${formatAmount(amount)}`;
}
