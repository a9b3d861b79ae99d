import { renderToString } from 'react-dom/server';
import { LANGUAGES, type Language, languages } from '@/i18n/languages';
import { textsIn } from '@/i18n/texts';
import { VisitorApp } from './VisitorApp';
import { type PageName, pageNames } from './place';
import { titleOf } from './title';

/** The placeholder for the URL of the marketing site. */
const SITE_PLACE = '__MARKETING_URL__';

/** The URLs of the assets of every page. */
interface Assets {
  script: string;
  style: string;
}

/** Renders every page in every language. Returns the documents by file name. */
export async function prerendered(assets: Assets): Promise<Map<string, string>> {
  const documents = new Map<string, string>();
  for (const language of languages) {
    for (const page of pageNames) {
      const html = await document(page, language, assets);
      documents.set(`${language}/${page}.html`, html);
    }
  }
  return documents;
}

async function document(page: PageName, language: Language, assets: Assets): Promise<string> {
  const texts = await textsIn(language);
  const drawn = renderToString(
    <VisitorApp page={page} language={language} texts={texts} site={SITE_PLACE} />,
  );
  return `<!doctype html>
<html lang="${language}" dir="${LANGUAGES[language].direction}" data-page="${page}" data-site="${SITE_PLACE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${titleOf(page, texts)}</title>
<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script type="module" fetchpriority="low" src="${assets.script}"></script>
</head>
<body><div id="root" data-texts='${inQuotes(JSON.stringify(texts))}'>${drawn}</div></body>
</html>
`;
}

/** Escapes a text for single quotes. */
function inQuotes(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#39;');
}
