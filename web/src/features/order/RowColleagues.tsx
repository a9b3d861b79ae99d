import { useLive } from '@/session/live';
import { initials } from '@/ui/Avatar';
import { HiddenText } from '@/ui/HiddenText';
import { useColleaguesAt } from './colleagues';
import classes from './RowColleagues.module.css';

const MAX_SHOWN = 2;

/** The initials of the colleagues who have the order of a row open, below its number, where they move nothing. */
export function RowColleagues({ orderId }: { orderId: number }) {
  // A list has hundreds of rows, and few of them need names.
  const hasAny = useLive((live) => live.colleagues.has(orderId));
  return hasAny && <Initials orderId={orderId} />;
}

function Initials({ orderId }: { orderId: number }) {
  const here = useColleaguesAt(orderId);
  const shown = here
    .slice(0, MAX_SHOWN)
    .map(({ name, activity }) => (activity === 'typing' ? `${initials(name)}…` : initials(name)));
  const rest = here.length - shown.length;
  const text = here.map((one) => one.text).join(', ');
  return (
    <span className={classes.here} title={text}>
      <span aria-hidden="true">{[...shown, ...(rest > 0 ? [`+${rest}`] : [])].join(' ')}</span>
      <HiddenText>{text}</HiddenText>
    </span>
  );
}
