import type { MouseEvent, ReactNode } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { notify } from '@/ui/notify';

export interface SignedLinkProps {
  /** The signed link as the server gave it. */
  link: string;
  areStale: () => boolean;
  /** Has the link signed anew; undefined when that failed. */
  renew: () => Promise<string | undefined>;
  className?: string;
  /** What a link without words is called. */
  label?: string;
  /** What an ordinary click does instead of opening a tab. */
  onPlainClick?: () => void;
  children: ReactNode;
}

/** A link to a stored file, in a tab of its own. One that is too old is signed anew first. */
export function SignedLink(props: SignedLinkProps) {
  const { link, areStale, renew, className, label, onPlainClick, children } = props;

  const openFresh = async () => {
    const fresh = await renew();
    if (fresh) window.open(fileUrl(fresh), '_blank', 'noopener,noreferrer');
    else notify.error('The file could not be opened. Please try again.');
  };
  const click = (event: MouseEvent) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (onPlainClick && isPlain) {
      event.preventDefault();
      onPlainClick();
    } else if (areStale()) {
      event.preventDefault();
      void openFresh();
    }
  };
  return (
    <a
      href={fileUrl(link)}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      aria-label={label}
      title={label}
      onClick={click}
    >
      {children}
    </a>
  );
}
