import classes from './Avatar.module.css';

/** The initials of a member, beside or in place of the name. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={classes.avatar} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** The first letters of the first and the last name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return ends.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('');
}
