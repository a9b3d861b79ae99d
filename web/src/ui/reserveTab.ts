/** A tab opened during the click, before its content exists: browsers block tabs that open later. */
export interface ReservedTab {
  /** Shows an address in it; false when the browser opened no tab, or it was closed meanwhile. */
  show: (url: string) => boolean;
  close: () => void;
}

export function reserveTab(title: string): ReservedTab {
  const tab = window.open('', '_blank');
  if (tab) {
    // The shown page must not reach the page that opened it.
    tab.opener = null;
    tab.document.title = title;
    tab.document.body.textContent = `Preparing ${title}…`;
  }
  return {
    show: (url) => {
      if (!tab || tab.closed) return false;
      tab.location.replace(url);
      return true;
    },
    close: () => tab?.close(),
  };
}
