import { create } from 'zustand';

const KEY = 'visadesk.unfolded';

/** The titles of the folded parts that are open. This browser remembers them. */
export const useFolds = create<{ open: readonly string[] }>(() => ({
  open: localStorage.getItem(KEY)?.split(',') ?? [],
}));

/** Opens a folded part, or closes it. */
export function toggleFold(title: string): void {
  const { open } = useFolds.getState();
  const after = open.includes(title) ? open.filter((one) => one !== title) : [...open, title];
  localStorage.setItem(KEY, after.join());
  useFolds.setState({ open: after });
}
