import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent; shade 8 is the one that carries white text. */
const accent: MantineColorsTuple = [
  '#e3f3ef',
  '#cde8e1',
  '#b9d9d2',
  '#8fc6b9',
  '#65b3a1',
  '#43a08b',
  '#2a8d77',
  '#177c68',
  '#0f6b5c',
  '#0a4f44',
];

/** The grounds, lines and texts of the dark, from the lightest text to the deepest ground. */
const dark: MantineColorsTuple = [
  '#e6eaf0',
  '#c3ccd8',
  '#a3aebd',
  '#8592a3',
  '#6f7d8f',
  '#3a4552',
  '#171e27',
  '#10151c',
  '#0c1016',
  '#080b10',
];

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 8,
  autoContrast: true,
  colors: { accent, dark },
  black: '#16202e',
  defaultRadius: 'md',
  fontFamily: 'var(--font)',
  // 767 and 991 px are the last widths of a phone and of a closed sidebar.
  breakpoints: { sm: '48em', md: '62em' },
});
