import type { ReactNode } from 'react';
import { LANGUAGES, type Language, isLanguage, languages } from '@/i18n/languages';
import { type Texts, useTexts } from '@/i18n/texts';
import { Logo } from '@/ui/Logo';
import { PRODUCT } from './title';

/** The pages of the marketing site that every public page links to. */
const LINKS: [text: keyof Texts & string, path: string][] = [
  ['home', '/'],
  ['applyNow', '/apply-now'],
  ['additionalBenefits', '/additional-benefits'],
  ['terms', '/terms-and-conditions'],
  ['privacy', '/privacy-policy'],
  ['faq', '/faq'],
  ['refundPolicy', '/refund-policy'],
  ['contactUs', '/contact-us'],
];

interface ShellProps {
  site: string;
  onLanguage: (language: Language) => void;
  children: ReactNode;
}

/** Top bar with the languages, links to the marketing site, footer. */
export function Shell({ site, onLanguage, children }: ShellProps) {
  const { language, texts } = useTexts();
  return (
    <>
      <a className="skip" href="#content">
        {texts.skip}
      </a>
      <header>
        <div className="bar">
          <span className="product" translate="no">
            <Logo />
            {PRODUCT}
          </span>
          <label>
            <span className="unseen">{texts.language}</span>
            <select
              value={language}
              translate="no"
              onChange={({ target: { value } }) => isLanguage(value) && onLanguage(value)}
            >
              {languages.map((one) => (
                <option key={one} value={one} lang={one}>
                  {LANGUAGES[one].name}
                </option>
              ))}
            </select>
          </label>
          <button type="button" className="menu" popoverTarget="site">
            {texts.menu}
          </button>
        </div>
        {/* A popover opens without any script, and is a plain row where there is room. */}
        <nav id="site" popover="auto" aria-label={texts.website}>
          <ul>
            {LINKS.map(([text, path]) => (
              <li key={text}>
                <a href={site + path}>{texts[text] as string}</a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer>
        <p>
          © <span translate="no">{PRODUCT}</span>. <span>{texts.copyright}</span>
        </p>
      </footer>
    </>
  );
}
