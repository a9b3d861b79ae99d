/** Lays the screen out for a width: the media queries of the app ask for `(width < N px)`. Returns a way to change it. */
export function screenOf(width: number): (width: number) => void {
  let now = width;
  const queries: (() => void)[] = [];
  window.matchMedia = (media) => {
    const limit = Number(/^\(width < (\d+)px\)$/.exec(media)?.[1] ?? 0);
    const query = Object.assign(new EventTarget(), { matches: now < limit, media });
    queries.push(() => {
      query.matches = now < limit;
      query.dispatchEvent(new Event('change'));
    });
    return query as unknown as MediaQueryList;
  };
  return (to) => {
    now = to;
    for (const follow of queries) follow();
  };
}
