/** Writes instants and dates the way the lists show them. */

const formats = new Map<string, Intl.DateTimeFormat>();

function partsIn(zone: string, instant: Date): Record<string, string> {
  let format = formats.get(zone);
  if (!format) {
    // Indonesian names its own zones: WIB, WITA, WIT.
    format = new Intl.DateTimeFormat('id', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'short',
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
}

/** `20-11-2026 09:41:07` in the given zone. */
export function dateAndTime(iso: string, zone: string): string {
  const at = partsIn(zone, new Date(iso));
  return `${at['day']}-${at['month']}-${at['year']} ${at['hour']}:${at['minute']}:${at['second']}`;
}

/** `2026-11-20`, the day that it is in the given zone, as the wire and date fields spell it. */
export function dayIn(instant: Date, zone: string): string {
  const at = partsIn(zone, instant);
  return `${at['year']}-${at['month']}-${at['day']}`;
}

/** The zone's short name at that instant, such as `WIB`. */
export function zoneName(iso: string, zone: string): string {
  return partsIn(zone, new Date(iso))['timeZoneName'] ?? zone;
}

/** `20-11-2026` of a date that has no time. */
export function plainDate(date: string): string {
  return date.slice(0, 10).split('-').toReversed().join('-');
}

/** `11/20/2026 2:41:07` in UTC, the hours without a leading zero. */
export function usDateAndTimeUtc(iso: string): string {
  return usDateAndTime(iso, 0).replace(' 0', ' ');
}

/** `11/19/2026 21:41:07` in EST, always five hours behind UTC: no summer time, no zone table. */
export function usDateAndTimeEst(iso: string): string {
  return usDateAndTime(iso, -5);
}

function usDateAndTime(iso: string, hoursFromUtc: number): string {
  const shifted = new Date(Date.parse(iso) + hoursFromUtc * 3_600_000).toISOString();
  const [year, month, day] = shifted.slice(0, 10).split('-');
  return `${month}/${day}/${year} ${shifted.slice(11, 19)}`;
}

const relative = /* @__PURE__ */ new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Returns the time since an instant, in its largest unit: `3 hours ago`. */
export function timeAgo(iso: string, now: Date): string {
  const seconds = (new Date(iso).getTime() - now.getTime()) / 1000;
  const [unit, size] = STEPS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}
