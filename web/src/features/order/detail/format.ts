/** Formats sizes and types of the order details. */
import { formatCount, formatDecimal } from '@/ui/numbers';

/** `4.8 kB`, in steps of 1,000. */
export function sizeText(bytes: number): string {
  const [size, unit] =
    bytes < 1e3 ? [bytes, 'B'] : bytes < 1e6 ? [bytes / 1e3, 'kB'] : [bytes / 1e6, 'MB'];
  return `${size < 100 ? formatDecimal(size) : formatCount(Math.round(size))} ${unit}`;
}

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
