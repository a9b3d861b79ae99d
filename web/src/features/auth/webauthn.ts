/** Passkeys in the browser: asks `navigator.credentials`, and says in plain words what went wrong. */

/** The options and answers of the server, in the JSON of WebAuthn. */
type Json = Record<string, unknown>;

/** Returns true if this browser can use passkeys at this address. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** Creates a passkey on a device that the member chooses. */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = creationOptions(options);
  return answered(() => navigator.credentials.create({ publicKey }), FAILED_CREATION);
}

/** Signs with a passkey of the member. */
export async function signWithPasskey(options: Json): Promise<Json> {
  const publicKey = requestOptions(options);
  return answered(() => navigator.credentials.get({ publicKey }), FAILED_SIGNATURE);
}

const ELSEWHERE =
  'Passkeys work only at the address of Visadesk itself. Open it there and try again.';

/** By the names of the browser's errors. It does not tell a cancelled request from one that took too long or found no passkey. */
const FAILED_CREATION: Record<string, string> = {
  NotAllowedError: 'No passkey was added: the request was cancelled or took too long. Try again.',
  InvalidStateError: 'This device already has a passkey for your account.',
  NotSupportedError:
    'This device cannot create passkeys. Use another one, or an authenticator app.',
  ConstraintError: 'This device has no fingerprint, face or PIN set up. Set one up and try again.',
  SecurityError: ELSEWHERE,
};
const FAILED_SIGNATURE: Record<string, string> = {
  NotAllowedError:
    'The passkey was not used: the request was cancelled, took too long, or found no passkey of yours on this device.',
  SecurityError: ELSEWHERE,
};

async function answered(
  ask: () => Promise<Credential | null>,
  messages: Record<string, string>,
): Promise<Json> {
  try {
    return toJson((await ask()) as PublicKeyCredential);
  } catch (error) {
    const { name = '' } = error as { name?: string };
    throw new Error(messages[name] ?? 'The browser could not use a passkey. Try again.', {
      cause: error,
    });
  }
}

// The browsers' own functions for the JSON form are younger than passkeys (2023 to 2025).

function creationOptions(options: Json): PublicKeyCredentialCreationOptions {
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential) {
    return PublicKeyCredential.parseCreationOptionsFromJSON(
      options as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
  }
  const { user, excludeCredentials } = options as { user: Json; excludeCredentials?: Json[] };
  return {
    ...options,
    challenge: bytes(options['challenge']),
    user: { ...user, id: bytes(user['id']) },
    excludeCredentials: excludeCredentials?.map(withBytes),
  } as unknown as PublicKeyCredentialCreationOptions;
}

function requestOptions(options: Json): PublicKeyCredentialRequestOptions {
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential) {
    return PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    );
  }
  const { allowCredentials } = options as { allowCredentials?: Json[] };
  return {
    ...options,
    challenge: bytes(options['challenge']),
    allowCredentials: allowCredentials?.map(withBytes),
  } as unknown as PublicKeyCredentialRequestOptions;
}

function toJson(credential: PublicKeyCredential): Json {
  if ('toJSON' in credential) return credential.toJSON() as Json;
  const { id, rawId, type, response } = credential as PublicKeyCredential;
  const parts = response as unknown as Record<string, ArrayBuffer | null | undefined>;
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature'];
  const encoded = names.flatMap((name) => (parts[name] ? [[name, text(parts[name])]] : []));
  return { id, rawId: text(rawId), type, response: Object.fromEntries(encoded) as Json };
}

const withBytes = (one: Json): Json => ({ ...one, id: bytes(one['id']) });

function bytes(base64url: unknown): Uint8Array {
  const base64 = String(base64url).replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(letters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
