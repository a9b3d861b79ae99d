import { linkOf, useFileLinks } from './fileLinks';
import { SignedLink, type SignedLinkProps } from './SignedLink';

interface FileLinkProps extends Omit<SignedLinkProps, 'areStale' | 'renew'> {
  orderId: number;
  file1: string;
}

/** A link to a file that the order names. */
export function FileLink({ orderId, file1, ...link }: FileLinkProps) {
  const links = useFileLinks(orderId);
  const renew = async () => {
    const order = await links.renew();
    return order && !links.areStale() ? linkOf(order, file1) : undefined;
  };
  return <SignedLink {...link} areStale={links.areStale} renew={renew} />;
}
