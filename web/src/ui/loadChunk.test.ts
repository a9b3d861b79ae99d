import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadChunk } from './loadChunk';

const gone = () => Promise.reject(new TypeError('Failed to fetch'));
const reload = vi.fn<() => void>();

beforeEach(() => {
  vi.stubGlobal('location', { ...location, reload });
});
afterEach(() => {
  reload.mockReset();
  vi.useRealTimers();
});

test('a loaded chunk is returned', async () => {
  await expect(loadChunk('home', async () => 'module')).resolves.toBe('module');
  expect(reload).not.toHaveBeenCalled();
});

test('a missing chunk reloads the page once and then fails by name', async () => {
  void loadChunk('home', gone);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  await expect(loadChunk('home', gone)).rejects.toThrow('Loading chunk home failed');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('without a connection nothing is reloaded, so that no form is lost', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await expect(loadChunk('home', gone)).rejects.toThrow('Loading chunk home failed');
  expect(reload).not.toHaveBeenCalled();
});

test('a chunk that does not arrive within two minutes fails', async () => {
  vi.useFakeTimers();
  sessionStorage.setItem('visadesk.reloaded-for', 'home');
  const settled = vi.fn<() => void>();
  const failed = loadChunk('home', () => new Promise(() => {})).catch(String);
  void failed.then(settled);
  await vi.advanceTimersByTimeAsync(119_999);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await failed).toBe('Error: Loading chunk home failed');
});
