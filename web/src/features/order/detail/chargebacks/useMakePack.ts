import { useQueryClient } from '@tanstack/react-query';
import { fileUrl } from '@/api/fileUrl';
import { useChange } from '@/session/useChange';
import { reserveTab } from '@/ui/reserveTab';
import { orderDetailsQuery } from '../orderDetailsQuery';
import { defencePacksQuery, makePack, type PackType } from './chargebackCalls';

interface Making {
  type: PackType;
  tab: ReturnType<typeof reserveTab>;
}

/** Generates a pack and opens its signed link in a new tab, so that it is saved under its own name. */
export function useMakePack(orderId: number) {
  const queries = useQueryClient();
  const { send, busy } = useChange({
    run: async ({ type, tab }: Making) => {
      const packId = await makePack(orderId, type);
      const { packs } = await queries.fetchQuery({ ...defencePacksQuery(orderId), staleTime: 0 });
      const made = packs.find((pack) => pack.pack_id === packId);
      if (!made) throw new Error('The pack is not listed yet. Please try again.');
      const url = fileUrl(made.link);
      return { url, isShown: tab.show(url) };
    },
    // The timeline of the order lists the pack.
    stale: orderDetailsQuery(orderId).queryKey,
    success: ({ url, isShown }, { type }) => {
      const message = `Defence Pack ${type} is ready`;
      const open = () => void window.open(url, '_blank', 'noopener,noreferrer');
      return isShown ? { message } : { message, action: { label: 'Open', onClick: open } };
    },
  });
  const make = async (type: PackType) => {
    // A tab can be opened only while the click is handled.
    const tab = reserveTab(`Defence Pack ${type}`);
    if ((await send({ type, tab })) === undefined) tab.close();
  };
  return { make, busy };
}
