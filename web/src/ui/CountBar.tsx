const WIDTH_PX = 72;

/** A count beside a bar: how it compares with the greatest of its column. */
export function CountBar({ count, most }: { count: number; most: number }) {
  const filled = most > 0 ? (count / most) * WIDTH_PX : 0;
  return (
    <>
      <svg width={WIDTH_PX} height="8" aria-hidden="true">
        <rect width={WIDTH_PX} height="8" rx="2" fill="var(--neutral-soft)" />
        <rect width={filled} height="8" rx="2" fill="var(--accent-ink)" />
      </svg>{' '}
      {new Intl.NumberFormat('en').format(count)}
    </>
  );
}
