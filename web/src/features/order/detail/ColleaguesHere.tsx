import { Avatar } from '@/ui/Avatar';
import { HiddenText } from '@/ui/HiddenText';
import { useColleaguesAt } from '../colleagues';
import classes from './ColleaguesHere.module.css';

const MAX_SHOWN = 4;

/** The initials of the colleagues who have the order open; what each does is in their text. They take their room from the person's name. */
export function ColleaguesHere({ orderId }: { orderId: number }) {
  const here = useColleaguesAt(orderId);
  if (here.length === 0) return null;
  const others = here.slice(MAX_SHOWN).map(({ text }) => text);
  return (
    <ul className={classes.here} aria-label="Colleagues at this order">
      {here.slice(0, MAX_SHOWN).map(({ id, name, activity, text }) => (
        <li key={id} title={text} data-activity={activity}>
          <Avatar name={name} />
          <HiddenText>{text}</HiddenText>
        </li>
      ))}
      {others.length > 0 && (
        <li title={others.join(', ')}>
          <span aria-hidden="true">+{others.length}</span>
          <HiddenText>{others.join(', ')}</HiddenText>
        </li>
      )}
    </ul>
  );
}
