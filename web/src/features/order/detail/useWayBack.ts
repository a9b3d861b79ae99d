import { paths } from '@/paths/staffPaths';
import { useOrderTrail } from '../orderTrail';

/** Where one goes from here: the list one came from, or the dashboard. */
export function useWayBack(): { label: string; path: string } {
  const backTo = useOrderTrail((trail) => trail.backTo);
  return backTo === null
    ? { label: 'Dashboard', path: paths.home }
    : { label: 'Back to list', path: backTo };
}
