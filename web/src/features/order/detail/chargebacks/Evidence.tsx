import type { DefencePackDetails } from '@/api/types';
import { Time } from '@/ui/Time';
import { inDays } from '../../deadline';
import { Chip } from '@/ui/Chip';
import { Folded } from '@/ui/Folded';
import { Fact, FactList } from '../Fact';
import classes from './chargebacks.module.css';

interface EvidenceProps {
  facts: DefencePackDetails;
  /** A line until a member opens it. */
  folds: boolean;
}

/** The evidence of the packs, the missing pieces, and whether Visa CE 3.0 applies. */
export function Evidence({ facts, folds }: EvidenceProps) {
  const { evidence, missing, downloads, mails, ce3 } = facts;
  return (
    <Folded
      as="h3"
      title="Evidence"
      note={
        missing.length > 0 && (
          <span className={classes.missing}>
            {missing.length} of {counted(evidence.length, 'piece')} missing
          </span>
        )
      }
      folds={folds}
    >
      <p className={classes.soft}>
        {counted(downloads.customer, 'download')} by the customer
        {downloads.left_out > 0 && `, ${downloads.left_out} by staff left out`} ·{' '}
        {counted(mails, 'email')}
      </p>
      <FactList label="Evidence">
        {evidence.map(({ code, label, given, detail }) => (
          <Fact
            key={code}
            label={label}
            text={detail ?? 'On file'}
            content={!given && <span className={classes.missing}>Missing</span>}
          />
        ))}
      </FactList>
      <h3>
        Visa CE 3.0{' '}
        <Chip tone={ce3.eligible ? 'done' : 'neutral'}>
          {ce3.eligible ? 'Eligible' : 'Not eligible'}
        </Chip>
      </h3>
      <p>{ce3.why}</p>
      {ce3.priors.length > 0 && (
        <ul className={classes.packs} aria-label="Earlier orders">
          {ce3.priors.map(({ order_number: number, at, days_before: days, matches }) => (
            <li key={number}>
              <b>{number}</b> · <Time iso={at} /> · {inDays(days)} before
              <p className={classes.soft}>Same {matches.join(', ')}</p>
            </li>
          ))}
        </ul>
      )}
    </Folded>
  );
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
