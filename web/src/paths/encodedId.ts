/** An id as links carry it: base64 of twice its value. It identifies an order; it grants no access. */
export function encodeId(id: number): string {
  return btoa(String(id * 2));
}

/** Decodes an id from a link; null when the text is not an encoded id. */
export function decodeId(encoded: string): number | null {
  try {
    const digits = atob(encoded);
    const id = Number(digits) / 2;
    return /^\d+$/.test(digits) && Number.isSafeInteger(id) && id > 0 ? id : null;
  } catch {
    return null;
  }
}

/** Parses an id in plain (`100001`), printed (`VD-100001`) or encoded form; null when it is none of these. */
export function readId(text: string): number | null {
  const digits = /^(?:VD-)?(\d+)$/i.exec(text.trim())?.[1];
  if (!digits) return decodeId(text.trim());
  const id = Number(digits);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
