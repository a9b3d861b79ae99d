import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { reserveTab } from '@/ui/reserveTab';
import { notifyFailure } from '@/session/notifyFailure';
import { notify } from '@/ui/notify';
import { orderDetailsQuery } from '../orderDetailsQuery';
import { defencePacksQuery, makePack, type PackType } from './chargebackCalls';

/** Generates a pack and opens its signed link in a new tab, so that it is saved under its own name. */
export function useMakePack(orderId: number) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const make = async (type: PackType) => {
    const tab = reserveTab(`Defence Pack ${type}`);
    setBusy(true);
    try {
      const packId = await makePack(orderId, type);
      const { packs } = await queries.fetchQuery({ ...defencePacksQuery(orderId), staleTime: 0 });
      const made = packs.find((pack) => pack.pack_id === packId);
      if (!made) throw new Error('The pack is not listed yet. Please try again.');
      const url = fileUrl(made.link);
      const isShown = tab.show(url);
      const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
      notify.success(`Defence Pack ${type} is ready`, {
        action: isShown ? undefined : { label: 'Open', onClick: open },
      });
    } catch (error) {
      tab.close();
      notifyFailure(error);
    } finally {
      setBusy(false);
      // The timeline of the order lists the pack.
      void queries.invalidateQueries({ queryKey: orderDetailsQuery(orderId).queryKey });
    }
  };
  return { make, busy };
}
