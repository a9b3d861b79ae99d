import { createContext, useContext } from 'react';

/** The agency's time zone, in which staff read times. The shell provides it. */
export const AgencyZone = createContext('UTC');

/** The agency's time zone as an IANA name, or the one that is given in its place. */
export function useZone(given?: string): string {
  const agency = useContext(AgencyZone);
  return given ?? agency;
}
