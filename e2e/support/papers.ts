/** Files that a test uploads. */

/** A PDF with a page for each of these texts. */
export function pdf(...pages: string[]): Buffer {
  const first = 4;
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((words, index) => {
      const text = `BT /F1 24 Tf 72 700 Td (${words}) Tj ET`;
      const contents = `${first + 2 * index + 1} 0 R`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  body += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  body += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.indexOf('xref\n')}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

/** A file as a file picker takes it. */
export interface PickedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A visa as the immigration office issues it, for a file picker. */
export function visaFile(...pages: string[]) {
  return { name: 'e-visa.pdf', mimeType: 'application/pdf', buffer: pdf(...pages) };
}

/** The visa of a traveller, with enough text to be compared with the order; more texts are further pages. */
export function visaOf(traveller: string, ...pages: string[]) {
  const first = `REPUBLIC OF INDONESIA, ELECTRONIC VISA, single entry, issued to ${traveller}`;
  return visaFile(first, ...pages);
}

/** The two machine-readable lines of an invented passport, for a page each. */
export function passportLines(): [string, string] {
  return [
    'P<AUSCLARKE<<EMILY<ROSE<<<<<<<<<<<<<<<<<<<<<',
    'PB12044175AUS9004126F3305061<<<<<<<<<<<<<<00',
  ];
}

/** What the owner of that passport typed, with a wrong letter in the given names. */
export const TYPED_WRONG = {
  full_name: 'Emilie Rose Clarke',
  first_name: 'Emilie Rose',
  last_name: 'Clarke',
  nationality: 'Australia',
  passport_from: 'Australia',
  sex: 'Female',
  date_of_birth: '1990-04-12',
  document_number: 'PB1204417',
  date_of_expiry: '2033-05-06',
  visa_type: 'C1',
};
