/** A tab that is opened in the click, before what it shall show is there: one that comes later is blocked. */
export interface LaterTab {
  /** Shows an address in it; false when the browser opened no tab, or it was closed meanwhile. */
  show: (url: string) => boolean;
  close: () => void;
}

export function openLaterTab(title: string): LaterTab {
  const tab = window.open('', '_blank');
  if (tab) {
    // What is shown must not reach back to the page it came from.
    tab.opener = null;
    tab.document.title = title;
    tab.document.body.textContent = `${title} is being made …`;
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
