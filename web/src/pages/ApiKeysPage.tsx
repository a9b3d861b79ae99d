import { ApiKeys } from '@/features/apiKeys/ApiKeys';
import { useMe } from '@/session/me';

/** The API keys of the sales sites. */
export function ApiKeysPage() {
  return <ApiKeys me={useMe()} />;
}
