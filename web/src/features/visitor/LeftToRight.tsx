/** An id, a date, an address: the same in every language, and from left to right in all of them. */
export function LeftToRight({ children }: { children: string | number }) {
  return (
    <bdi dir="ltr" translate="no" className="num">
      {children}
    </bdi>
  );
}
