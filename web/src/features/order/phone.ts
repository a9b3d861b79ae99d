interface Phone {
  /** For display: `+62 81200004417`. */
  text: string;
  /** The number for a telephone link. */
  dialled: string;
}

/** Numbers of Italy keep their leading zero abroad; those of all other countries lose it. */
const ITALY = '39';

/**
 * A number with its country code, or null when there is no number. Rows of lists have no more than
 * these two; the order itself has the number as its country's numbering plan has it.
 */
export function phoneOf(
  countryCode: string | null | undefined,
  phoneNumber: string | null | undefined,
): Phone | null {
  const number = phoneNumber?.trim() ?? '';
  const digits = digitsOf(number.replace(/ ext\. .*$/, ''));
  if (!digits) return null;
  if (/^(\+|00)/.test(number)) {
    return { text: number, dialled: `+${digits.replace(/^00/, '')}` };
  }
  const country = digitsOf(countryCode ?? '').replace(/^0+/, '');
  if (!country) return { text: number, dialled: digits };
  const national = country === ITALY ? digits : digits.replace(/^0+/, '');
  return { text: `+${country} ${number}`, dialled: `+${country}${national}` };
}

/** A WhatsApp chat with that number, with a text to begin it. */
export function whatsappLink(international: string, text: string): string {
  return `https://wa.me/${international}?text=${encodeURIComponent(text)}`;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
