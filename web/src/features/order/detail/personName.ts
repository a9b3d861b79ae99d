/** The start of a word: the first letter of all, or one after a space or a hyphen. */
const FIRST_LETTERS = /(?<=^|[\s-])\p{Ll}/gu;
/** Georgian has capitals in Unicode only; names are not written with them. */
const NEVER_CAPITAL = /\p{Script=Georgian}/u;

/** Formats a stored name: underscores become spaces, each word begins with a capital. */
export function personName(stored: string): string {
  const words = stored.replaceAll('_', ' ').replaceAll(/\s+/g, ' ').trim();
  return words.replaceAll(FIRST_LETTERS, (letter) => {
    const capital = letter.toUpperCase();
    // A letter whose capital is two letters, such as ß, is kept.
    const isOneLetter = capital.length === letter.length;
    return isOneLetter && !NEVER_CAPITAL.test(letter) ? capital : letter;
  });
}
