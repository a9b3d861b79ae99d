/** `PDF`, `JPEG image`. */
export function mediaTypeText(mediaType: string): string {
  const [type, subtype = ''] = mediaType.split('/');
  const name = subtype.toUpperCase();
  return type === 'image' ? `${name} image` : name;
}

/** The processing mode as customers know it. */
export function processingModeText(mode: string): string {
  return mode === 'Regular Processing' ? 'Standard Processing' : mode;
}
