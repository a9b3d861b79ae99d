import { useCallback, useEffect, useRef, useState } from 'react';
import { useFileLinks } from '../fileLinks';

/**
 * Keeps the address under which a file is being shown, though every answer of the server signs a new
 * one: the file would load again each time. One that fails is renewed and tried once more; after
 * that, whenever the order comes anew.
 */
export function useSteadyLink(orderId: number, link: string) {
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
    /** What to show, or null while there is nothing that could be. */
    link: hasFailed ? null : tried,
    isRenewing,
    /** The address did not lead to the file. */
    fail: () => {
      setFailed(true);
      if (!isRenewed.current) renew();
    },
    renew,
  };
}
