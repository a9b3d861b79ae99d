/** Writes numbers as all screens of the staff do, whatever the language of the browser. */

const counts = /* @__PURE__ */ new Intl.NumberFormat('en');
const decimals = /* @__PURE__ */ new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const amounts = /* @__PURE__ */ new Map<string, Intl.NumberFormat>();

/** `12,034` */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `4.8`, with at most one decimal. */
export function formatDecimal(value: number): string {
  return decimals.format(value);
}

/** `4.8 kB`, in steps of 1,000. */
export function sizeText(bytes: number): string {
  const [size, unit] =
    bytes < 1e3 ? [bytes, 'B'] : bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size < 100 ? formatDecimal(size) : formatCount(Math.round(size))} ${unit}`;
}

/** `2,086.00` of an amount as the wire spells it, with the decimals of its currency. */
export function formatAmount(amount: string): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  return Number(amount).toLocaleString('en', { minimumFractionDigits: decimals });
}

/** `USD 119.00` of an amount in whole minor units. */
export function formatMoney(amountMinor: number, currency: string): string {
  let format = amounts.get(currency);
  if (!format) {
    format = new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
    });
    amounts.set(currency, format);
  }
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountMinor / 10 ** digits).replace('\u00A0', ' ');
}
