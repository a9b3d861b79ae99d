import type { Language } from '@/i18n/languages';

/** The words of the server for devices that it cannot name, and for kinds of devices. */
const WORDS = [
  'Unknown',
  'Phone',
  'Tablet',
  'Computer',
  'Automated',
  'Mobile',
  'Desktop',
  'Bot',
] as const;

/** The same words, in the same order. */
const TRANSLATED: Record<Exclude<Language, 'en'>, readonly string[]> = {
  id: ['Tidak diketahui', 'Ponsel', 'Tablet', 'Komputer', 'Otomatis', 'Seluler', 'Desktop', 'Bot'],
  'zh-Hans': ['未知', '手机', '平板电脑', '电脑', '自动程序', '移动设备', '台式设备', '机器人'],
  'zh-Hant': ['未知', '手機', '平板電腦', '電腦', '自動程式', '行動裝置', '桌上型裝置', '機器人'],
  hi: ['अज्ञात', 'फ़ोन', 'टैबलेट', 'कंप्यूटर', 'स्वचालित', 'मोबाइल', 'डेस्कटॉप', 'बॉट'],
  ar: ['غير معروف', 'هاتف', 'جهاز لوحي', 'كمبيوتر', 'آلي', 'جوال', 'مكتبي', 'روبوت'],
  ja: [
    '不明',
    'スマートフォン',
    'タブレット',
    'パソコン',
    '自動',
    'モバイル',
    'デスクトップ',
    'ボット',
  ],
  ko: ['알 수 없음', '휴대전화', '태블릿', '컴퓨터', '자동', '모바일', '데스크톱', '봇'],
  fr: [
    'Inconnu',
    'Téléphone',
    'Tablette',
    'Ordinateur',
    'Automatique',
    'Mobile',
    'Bureau',
    'Robot',
  ],
  de: ['Unbekannt', 'Telefon', 'Tablet', 'Computer', 'Automatisch', 'Mobil', 'Desktop', 'Bot'],
  es: [
    'Desconocido',
    'Teléfono',
    'Tableta',
    'Ordenador',
    'Automático',
    'Móvil',
    'Escritorio',
    'Bot',
  ],
  ru: [
    'Неизвестно',
    'Телефон',
    'Планшет',
    'Компьютер',
    'Автоматически',
    'Мобильное',
    'Настольное',
    'Бот',
  ],
};

/** Names of the server that differ from those of `Intl.DisplayNames` by more than their spelling. */
const OTHER_NAMES: Record<string, string> = {
  'Cocos Islands': 'CC',
  Congo: 'CG',
  'DR Congo': 'CD',
  'Heard Island and McDonald Islands': 'HM',
  'Hong Kong': 'HK',
  Macao: 'MO',
  Myanmar: 'MM',
  Palestine: 'PS',
  Pitcairn: 'PN',
  'Saint Vincent and the Grenadines': 'VC',
  'South Georgia and the South Sandwich Islands': 'GS',
  'US Outlying Islands': 'UM',
  'US Virgin Islands': 'VI',
};

const spelled = (name: string) =>
  name.replaceAll('’', "'").replaceAll(' & ', ' and ').replaceAll('St. ', 'Saint ');

let codes: Map<string, string> | undefined;

/** The codes of all countries by their English names. */
function countryCodes(): Map<string, string> {
  if (codes) return codes;
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  codes = new Map(
    letters.flatMap((one) =>
      letters.flatMap((other) => {
        const name = english.of(one + other);
        return name === undefined ? [] : [[spelled(name), one + other] as const];
      }),
    ),
  );
  for (const [name, code] of Object.entries(OTHER_NAMES)) codes.set(name, code);
  return codes;
}

/** A recorded country in the reader's language; undefined: it is not known in it. */
export function countryIn(country: string, language: Language): string | undefined {
  const code = countryCodes().get(country);
  if (code === undefined) return undefined;
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code);
}

/** A word for a device in the reader's language; undefined: it is the name of a product. */
export function deviceWordIn(word: string, language: Language): string | undefined {
  const at = WORDS.findIndex((known) => known === word);
  if (at < 0 || language === 'en') return undefined;
  return TRANSLATED[language][at];
}
