import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Refusal } from '@/api/Refusal';
import { Boundary } from '@/features/visitor/Boundary';
import { Toast } from '@/features/visitor/Toast';
import { LANGUAGES, type Language } from '@/i18n/languages';
import { LocaleContext, type Texts, textsIn } from '@/i18n/texts';
import { OrderDetails } from '@/features/visitor/OrderDetails';
import { TrackOrderPage } from '@/pages/TrackOrderPage';
import { loadChunk } from '@/ui/loadChunk';
import { Crash } from './Crash';
import { Shell } from './Shell';
import {
  type PageName,
  type Place,
  goToCode,
  goToDetails,
  goToTrackAgain,
  mailedKey,
  placeHere,
  removeMailedKey,
} from './place';
import { titleOf } from './title';

const YEAR_SECONDS = 31_536_000;

interface VisitorAppProps {
  /** As in the prerendered page, so that hydration matches. */
  page: PageName;
  language: Language;
  texts: Texts;
  /** The address of the marketing site. */
  site: string;
}

/** The public area: two pages in one shell. */
export function VisitorApp({ page, site, ...prerendered }: VisitorAppProps) {
  const [locale, setLocale] = useState(prerendered);
  const [place, setPlace] = useState<Place>({
    page,
    orderId: null,
    isAgain: false,
    isCode: false,
  });
  const [isOpening, setOpening] = useState(false);
  const [linkFailure, setLinkFailure] = useState<unknown>(null);
  const [isCutOff, setCutOff] = useState(false);
  const focused = useRef(page);

  const move = useCallback((go: () => void) => {
    go();
    scrollTo(0, 0);
    setPlace(placeHere());
  }, []);

  useEffect(() => {
    const sync = () => {
      const { page, orderId } = placeHere();
      if (page === 'download' && orderId === null) goToTrackAgain(null);
      setPlace(placeHere());
    };
    const back = () => move(() => {});
    const open = async () => {
      const key = mailedKey();
      const { page, orderId } = placeHere();
      if (key === null || page !== 'track-order' || orderId === null) {
        removeMailedKey();
        return;
      }
      setOpening(true);
      setLinkFailure(null);
      try {
        const { openMailedLink } = await loadChunk('mailed', () => import('@/api/mailedCalls'));
        await openMailedLink(orderId, key);
        move(() => goToDetails(orderId));
      } catch (error) {
        // A link that may still be valid keeps its key, and a reload tries it again.
        if (error instanceof Refusal && error.code === 'mailed_link_invalid') removeMailedKey();
        setLinkFailure(error);
      } finally {
        setOpening(false);
      }
    };
    // Another link to the same order only changes the fragment.
    const openAgain = () => void open();
    sync();
    openAgain();
    addEventListener('popstate', back);
    addEventListener('hashchange', openAgain);
    return () => {
      removeEventListener('popstate', back);
      removeEventListener('hashchange', openAgain);
    };
  }, [move]);

  // Before the browser paints: no text is shown in the direction of another language.
  useLayoutEffect(() => {
    document.title = titleOf(place.page, locale.texts);
    document.documentElement.lang = locale.language;
    document.documentElement.dir = LANGUAGES[locale.language].direction;
  }, [place.page, locale]);

  // Keyboard and screen reader users start at the new page's heading.
  useEffect(() => {
    if (focused.current === place.page) return;
    focused.current = place.page;
    document.querySelector('h1')?.focus();
  }, [place.page]);

  const { orderId } = place;
  const onFound = useCallback(
    (found: number | null) => {
      const proved = found ?? orderId;
      if (proved !== null) move(() => goToDetails(proved));
    },
    [move, orderId],
  );
  const onCode = useCallback(
    (asked: number | null, isCode: boolean) => move(() => goToCode(asked, isCode)),
    [move],
  );
  const onAccessLost = useCallback(() => move(() => goToTrackAgain(orderId)), [move, orderId]);

  const speak = async (language: Language) => {
    remember(language);
    setCutOff(false);
    try {
      setLocale({ language, texts: await textsIn(language) });
    } catch {
      // After a release the old chunk is gone; a reload serves the new page in the chosen language.
      if (navigator.onLine) location.reload();
      else setCutOff(true);
    }
  };
  const closeToast = useCallback(() => setCutOff(false), []);

  return (
    <LocaleContext value={locale}>
      <Boundary failure={<Crash message={locale.texts.crashed} tryAgain={locale.texts.tryAgain} />}>
        <Shell site={site} onLanguage={(language) => void speak(language)}>
          {place.page === 'download' ? (
            <OrderDetails orderId={orderId} onAccessLost={onAccessLost} />
          ) : (
            <TrackOrderPage
              orderId={orderId}
              isAgain={place.isAgain}
              isCode={place.isCode}
              isOpening={isOpening}
              linkFailure={linkFailure}
              onCode={onCode}
              onFound={onFound}
            />
          )}
          {isCutOff && <Toast message={locale.texts.offline} onClose={closeToast} />}
        </Shell>
      </Boundary>
    </LocaleContext>
  );
}

/** Remembers the language for a year, where the server reads it too: the next page is born in it. */
function remember(language: Language): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `visadesk_language=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`;
}
