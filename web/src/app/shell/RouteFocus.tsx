import { useEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router';
import { HiddenText } from '@/ui/HiddenText';

/** The longest time that a screen may take to show its heading. */
const WAIT_MS = 5000;

/**
 * After a change of screen: moves the focus to the content and announces the heading. The document's title says the same
 * on every screen. A control of the new screen that has the focus keeps it.
 */
export function RouteFocus({ content }: { content: RefObject<HTMLElement | null> }) {
  const { pathname } = useLocation();
  const [screen, setScreen] = useState('');
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname || !content.current) return;
    last.current = pathname;
    const main = content.current;
    if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
    const announce = () => {
      const heading = main.querySelector('h1')?.textContent;
      if (heading) setScreen(heading);
      return Boolean(heading);
    };
    if (announce()) return;
    const observer = new MutationObserver(() => announce() && observer.disconnect());
    observer.observe(main, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), WAIT_MS);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [pathname, content]);
  return <HiddenText aria-live="polite">{screen}</HiddenText>;
}
