import { useCallback, useEffect, useRef, useState } from 'react';
import { useFileLinks } from '../fileLinks';

/**
 * Keeps the URL of a shown file stable although every answer of the server signs a new one, which
 * would reload the file. A failed URL is renewed and tried once more; after
 * that, whenever the order is refetched.
 */
export function useStableFileUrl(orderId: number, link: string) {
  const links = useFileLinks(orderId);
  const [wasStale] = useState(links.areStale);
  const [tried, setTried] = useState(link);
  const [hasFailed, setFailed] = useState(wasStale);
  const [isRenewing, setRenewing] = useState(wasStale);
  const isRenewed = useRef(wasStale);
  if (hasFailed && link !== tried) {
    setTried(link);
    setFailed(false);
  }

  const load = useCallback(() => links.renew().finally(() => setRenewing(false)), [links]);
  useEffect(() => {
    if (wasStale) void load();
  }, [wasStale, load]);
  const renew = () => {
    isRenewed.current = true;
    setRenewing(true);
    void load();
  };

  return {
    /** The link to show; null while there is none. */
    link: hasFailed ? null : tried,
    isRenewing,
    /** Called when the URL did not load the file. */
    fail: () => {
      setFailed(true);
      if (!isRenewed.current) renew();
    },
    renew,
  };
}
