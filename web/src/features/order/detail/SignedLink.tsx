import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { fileUrl } from '@/api/fileUrl';
import { ButtonAnchor } from '@/ui/Button';
import { notify } from '@/ui/notify';

export interface SignedLinkProps {
  /** The signed link as the server gave it. */
  link: string;
  areStale: () => boolean;
  /** Fetches a newly signed link; undefined when that failed. */
  renew: () => Promise<string | undefined>;
  /** Draws it as a button; with `square` as an icon. */
  button?: { small?: boolean; square?: boolean };
  /** The accessible name of a link without text. */
  label?: string;
  /** Called for a plain click instead of opening a tab. */
  onPlainClick?: () => void;
  children: ReactNode;
}

const MIDDLE_BUTTON = 1;

/** A link that opens a stored file in a new tab. An expired link is renewed first. */
export function SignedLink(props: SignedLinkProps) {
  const { link, areStale, renew, button, label, onPlainClick, children } = props;

  const openFresh = async () => {
    const fresh = await renew();
    if (fresh) window.open(fileUrl(fresh), '_blank', 'noopener,noreferrer');
    else notify.error('The file could not be opened. Please try again.');
  };
  const renewIfStale = (event: MouseEvent) => {
    if (!areStale()) return;
    event.preventDefault();
    void openFresh();
  };
  const click = (event: MouseEvent) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (onPlainClick && isPlain) {
      event.preventDefault();
      onPlainClick();
    } else {
      renewIfStale(event);
    }
  };
  const anchor: ComponentProps<'a'> = {
    href: fileUrl(link),
    target: '_blank',
    rel: 'noopener noreferrer',
    'aria-label': label,
    title: label,
    onClick: click,
    onAuxClick: (event) => {
      if (event.button === MIDDLE_BUTTON) renewIfStale(event);
    },
    children,
  };
  return button ? <ButtonAnchor {...anchor} {...button} /> : <a {...anchor}>{children}</a>;
}
