/** Our mark: the V of a visa that is also the tick of approval, under a border stamp. */
export function Logo({ size = 26, inverted = false }: { size?: number; inverted?: boolean }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill={inverted ? '#fff' : '#0f6b5c'} />
      <path
        d="M8.5 10.5 14.6 22a1.6 1.6 0 0 0 2.8 0l6.1-11.5"
        fill="none"
        stroke={inverted ? '#0f6b5c' : '#fff'}
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="9.4" r="2" fill={inverted ? '#2a8d77' : '#8fd6c6'} />
    </svg>
  );
}
