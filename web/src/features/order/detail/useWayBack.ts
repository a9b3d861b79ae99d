import { useLocation } from 'react-router';
import { backTo, originOf } from '@/paths/origin';
import { paths } from '@/paths/staffPaths';

/** The link that leads away from an order: to the screen it was opened from, else to the dashboard. */
export function useWayBack() {
  const origin = originOf(useLocation());
  return origin === null
    ? { label: 'Dashboard', path: paths.home, state: null }
    : { label: origin.label, path: origin.path, state: backTo(origin) };
}
