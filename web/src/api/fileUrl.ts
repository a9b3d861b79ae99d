/** The address of a signed link: ours, unless the server names another host. */
export function fileUrl(link: string): string {
  return new URL(link, `${location.origin}/`).href;
}
