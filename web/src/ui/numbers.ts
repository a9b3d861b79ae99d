const counts = new Intl.NumberFormat('en');

/** `12,034` */
export function formatCount(count: number): string {
  return counts.format(count);
}
