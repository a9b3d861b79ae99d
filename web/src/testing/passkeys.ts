import { onTestFinished, vi } from 'vitest';

/** As in browsers whose JSON functions exist. */
const parse = (options: unknown) => options;

/** The options of a passkey, which the contract leaves to the browser's own specification. */
export const passkeyOptions = (options: object) => options as Record<string, never>;

/** A browser with passkeys whose device answers each request with the next of `answers`; an error rejects it. */
export function deviceAnswers(...answers: (object | DOMException)[]) {
  const asked: unknown[] = [];
  const next = ({ publicKey }: { publicKey: unknown }) => {
    asked.push(publicKey);
    const answer = answers.shift() ?? new DOMException('no answer is left', 'UnknownError');
    return answer instanceof DOMException
      ? Promise.reject(answer)
      : Promise.resolve({ toJSON: () => answer });
  };
  vi.stubGlobal('PublicKeyCredential', {
    parseCreationOptionsFromJSON: parse,
    parseRequestOptionsFromJSON: parse,
  });
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { create: next, get: next },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'credentials');
  });
  return asked;
}
