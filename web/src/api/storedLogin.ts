/** The sign-in of this browser: `localStorage.user = {"accessToken": token}`. */
const KEY = 'user';

export interface TokenUser {
  /** Undefined in a token that does not name it. */
  id?: number;
  name: string;
  type: string;
}

export interface StoredLogin {
  accessToken: string;
  user: TokenUser;
}

/**
 * Reads the user of a token. Throws when it is no string, lacks a part, or its payload is
 * not base64 or not JSON. The signature is the server's to check.
 */
export function readToken(token: unknown): TokenUser {
  if (typeof token !== 'string') throw new TypeError('The token is not a string');
  const [header, payload, signature] = token.split('.');
  if (!header || !payload || !signature) throw new TypeError('The token lacks a part');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
  const { user } = JSON.parse(new TextDecoder().decode(bytes)) as { user?: Partial<TokenUser> };
  if (typeof user?.name !== 'string' || typeof user.type !== 'string') {
    throw new TypeError('The token names no user');
  }
  const { id, name, type } = user;
  return typeof id === 'number' ? { id, name, type } : { name, type };
}

/** The stored sign-in, or null. One that cannot be read counts as signed out and is removed. */
export function storedLogin(): StoredLogin | null {
  const stored = localStorage.getItem(KEY);
  if (stored === null) return null;
  try {
    const { accessToken } = JSON.parse(stored) as { accessToken: string };
    return { accessToken, user: readToken(accessToken) };
  } catch {
    removeLogin();
    return null;
  }
}

export function storeLogin(accessToken: string): void {
  localStorage.setItem(KEY, JSON.stringify({ accessToken }));
}

export function removeLogin(): void {
  localStorage.removeItem(KEY);
}

/** Calls `listener` when another tab signs in or out. */
export function onLoginChange(listener: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) listener();
  });
}
