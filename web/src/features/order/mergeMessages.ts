const NUMBER = /\d+/g;

/**
 * One message for the answers to several batches: where they differ in nothing but their numbers, these
 * are added up (`500 refunded, 0 already refunded` and `200 refunded, 3 already refunded`).
 */
export function mergeMessages(messages: readonly string[]): string {
  const [first, ...others] = messages;
  if (first === undefined) return '';
  const shape = shapeOf(first);
  if (others.some((message) => shapeOf(message) !== shape)) return messages.join('; ');
  const sums = others.map(numbersIn).reduce(added, numbersIn(first));
  let next = 0;
  return first.replaceAll(NUMBER, () => String(sums[next++]));
}

const shapeOf = (message: string) => message.replaceAll(NUMBER, '#');

const numbersIn = (message: string) =>
  [...message.matchAll(NUMBER)].map(([digits]) => Number(digits));

const added = (sums: number[], numbers: number[]) =>
  sums.map((sum, index) => sum + (numbers[index] ?? 0));
