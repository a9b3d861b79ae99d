/** A paper that is checked. */
export interface Paper {
  paper: 'passport' | 'photograph';
  title: string;
  noun: string;
  /** The kinds of documents that are this paper. */
  kinds: readonly string[];
  /** The headings of the two columns that are compared. */
  columns: readonly [string, string];
}

/** The papers that are checked, in the order of the screen. */
export const PAPERS: readonly Paper[] = [
  {
    paper: 'passport',
    title: 'Passport check',
    noun: 'passport',
    kinds: ['passport_picture', 'passport'],
    columns: ['Typed', 'Passport'],
  },
  {
    paper: 'photograph',
    title: 'Photo check',
    noun: 'photograph',
    kinds: ['upload_picture', 'recent_photo'],
    columns: ['Portal’s limit', 'Photograph'],
  },
];

/** The kinds of files that are a document of the catalogue. */
export function kindsOf(kind: string): readonly string[] {
  return PAPERS.find(({ kinds }) => kinds.includes(kind))?.kinds ?? [kind];
}
