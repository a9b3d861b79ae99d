/** Formats amounts, sizes and types of the order details. */

/** `USD 119.00` of an amount in whole minor units. */
export function moneyText(amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
  });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountMinor / 10 ** digits).replace('\u00A0', ' ');
}

/** `4.8 kB`, in steps of 1,000. */
export function sizeText(bytes: number): string {
  const [size, unit] =
    bytes < 1e3 ? [bytes, 'B'] : bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 100 ? 1 : 0 })} ${unit}`;
}

/** `PDF`, `JPEG image`. */
export function mediaTypeText(mediaType: string): string {
  const [type, subtype = ''] = mediaType.split('/');
  const name = subtype.toUpperCase();
  return type === 'image' ? `${name} image` : name;
}

/** The processing mode as customers know it. */
export function processingModeText(mode: string): string {
  return mode === 'Regular Processing' ? 'Standard Processing' : mode;
}
