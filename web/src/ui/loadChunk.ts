import { lazy, type ComponentType } from 'react';

const CHUNK_TIMEOUT_MS = 120_000;
const RELOADED = 'visadesk.reloaded-for';

/**
 * Imports a part of the app by name. A release may have replaced the chunk while the app was
 * open, so the first failure reloads the document and the second is an error. Without a connection a
 * reload would only lose what was typed.
 */
export async function loadChunk<Module>(
  name: string,
  load: () => Promise<Module>,
  reload = () => location.reload(),
): Promise<Module> {
  try {
    const chunk = await Promise.race([load(), timeOut()]);
    if (sessionStorage.getItem(RELOADED) === name) sessionStorage.removeItem(RELOADED);
    return chunk;
  } catch (cause) {
    if (navigator.onLine && sessionStorage.getItem(RELOADED) !== name) {
      sessionStorage.setItem(RELOADED, name);
      reload();
      return new Promise(() => {});
    }
    sessionStorage.removeItem(RELOADED);
    throw new Error(`Loading chunk ${name} failed`, { cause });
  }
}

function timeOut(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('The chunk did not arrive in time')), CHUNK_TIMEOUT_MS);
  });
}

/** A component in a chunk of its own, under the name that its module exports. */
export function lazyComponent<Name extends string, Props extends object>(
  name: Name,
  load: () => Promise<Record<Name, ComponentType<Props>>>,
) {
  return lazy(async () => ({ default: (await loadChunk(name, load))[name] }));
}
