interface Phone {
  /** For display: `+62 81200004417`. */
  text: string;
  /** The number for a telephone link. */
  dialled: string;
  /** The digits of a WhatsApp link, null while the country is unknown. */
  international: string | null;
}

/** Numbers of Italy keep their leading zero abroad; those of all other countries lose it. */
const ITALY = '39';

/** A number with its country code, or null when there is no number. */
export function phoneOf(
  countryCode: string | null | undefined,
  phoneNumber: string | null | undefined,
): Phone | null {
  const number = phoneNumber?.trim() ?? '';
  const digits = digitsOf(number);
  if (!digits) return null;
  if (/^(\+|00)/.test(number)) {
    const international = digitsOf(number.replace(/^00/, ''));
    return { text: number, dialled: `+${international}`, international };
  }
  const country = digitsOf(countryCode ?? '').replace(/^0+/, '');
  if (!country) return { text: number, dialled: digits, international: null };
  const national = country === ITALY ? digits : digits.replace(/^0+/, '');
  const international = country + national;
  return { text: `+${country} ${number}`, dialled: `+${international}`, international };
}

/** A WhatsApp chat with that number, with a text to begin it. */
export function whatsappLink(international: string, text: string): string {
  return `https://wa.me/${international}?text=${encodeURIComponent(text)}`;
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
