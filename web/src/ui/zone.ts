import { createContext, useContext } from 'react';

/** The agency's time zone, in which staff read times. The shell provides it. */
export const AgencyZone = createContext('UTC');

/** The agency's time zone as an IANA name. */
export function useZone(): string {
  return useContext(AgencyZone);
}
