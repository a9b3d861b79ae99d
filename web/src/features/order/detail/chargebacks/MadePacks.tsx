import type { DefencePack, DefencePackDetails } from '@/api/types';
import { CopyButton } from '@/ui/CopyButton';
import { sizeText } from '@/ui/numbers';
import { Time } from '@/ui/Time';
import { useSignedLinks } from '../fileLinks';
import { SignedLink } from '../SignedLink';
import { defencePacksQuery } from './chargebackCalls';
import classes from './chargebacks.module.css';

export function MadePacks({ orderId, packs }: { orderId: number; packs: readonly DefencePack[] }) {
  const links = useSignedLinks<DefencePackDetails>(defencePacksQuery, orderId);
  const renew = async (packId: number) => {
    const facts = await links.renew();
    if (links.areStale()) return undefined;
    return facts?.packs.find((pack) => pack.pack_id === packId)?.link;
  };
  return (
    <>
      <h3>Generated packs</h3>
      {packs.length === 0 && <p className={classes.soft}>No packs yet.</p>}
      <ul className={classes.packs} aria-label="Generated packs">
        {packs.map((pack) => (
          <li key={pack.pack_id}>
            <SignedLink
              link={pack.link}
              areStale={links.areStale}
              renew={() => renew(pack.pack_id)}
            >
              {pack.file_name}
            </SignedLink>{' '}
            · Defence Pack {pack.pack_type} · {pack.pages} {pack.pages === 1 ? 'page' : 'pages'} ·{' '}
            {sizeText(pack.size_bytes)}
            <p className={classes.soft}>
              <bdi>{pack.made_by}</bdi>, <Time iso={pack.made_at} />
            </p>
            <p className={classes.hash}>
              SHA-256 <code title={pack.sha256}>{pack.sha256.slice(0, 16)}…</code>
              <CopyButton text={pack.sha256} what="SHA-256" />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
