declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: 'default', rules: { createHTML(text: string): string | null }): unknown;
    };
  }
}

/**
 * Mantine writes its CSS variables through innerHTML, which Trusted Types refuse. Text without
 * `<` can never become an element, so it is let through; all markup stays refused.
 */
export function installTrustedTypes(): void {
  window.trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
  });
}
