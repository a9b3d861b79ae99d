/** The statuses whose label differs from their value in the API. */
const LABELS = new Map([
  ['Awaiting', 'Awaiting Customer'],
  ['AwaitingGovt', 'Awaiting Govt'],
]);

export function statusLabel(status: string): string {
  return LABELS.get(status) ?? status;
}
