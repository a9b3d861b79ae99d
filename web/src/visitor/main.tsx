import '../ui/tokens.css';
import './visitor.css';
import { hydrateRoot } from 'react-dom/client';
import { isLanguage } from '@/i18n/languages';
import type { Texts } from '@/i18n/texts';
import { VisitorApp } from './VisitorApp';

const { lang, dataset } = document.documentElement;
const root = document.getElementById('root')!;

// The texts come with the prerendered page (prerender.tsx), so that hydration matches.
hydrateRoot(
  root,
  <VisitorApp
    page={dataset['page'] === 'download' ? 'download' : 'track-order'}
    language={isLanguage(lang) ? lang : 'en'}
    texts={JSON.parse(root.dataset['texts']!) as Texts}
    site={dataset['site'] ?? ''}
  />,
);
