import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, dataOf } from '@/api/client';
import type { ApiKey } from '@/api/types';
import { useChange } from '@/session/useChange';
import { ScreenTitle } from '@/ui/ListScreen';
import { useConfirm } from '@/ui/useConfirm';
import { useMe } from '@/session/me';
import { type ApiKeyFields, bodyOf } from './apiKeyFields';
import { ApiKeyForm } from './ApiKeyForm';
import { ApiKeyList } from './ApiKeyList';
import { type NewKey, NewKeyDialog } from './NewKeyDialog';

/** The API keys of the sales sites; only Admins may ask for them. */
const apiKeysQuery = queryOptions({
  queryKey: ['apiKeys', 'list'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/admin/api-keys', { signal })),
});

/** The API keys of the sales sites: the form that creates one, above their list. */
export function ApiKeys() {
  const { may } = useMe();
  const keys = useQuery(apiKeysQuery);
  const [created, setCreated] = useState<NewKey | null>(null);
  const [ask, dialog] = useConfirm();

  const { send: add } = useChange({
    run: (fields: ApiKeyFields) =>
      answer(api.POST('/api/admin/add-api-key', { body: bodyOf(fields) })),
    stale: apiKeysQuery.queryKey,
    waits: true,
    // The key itself is shown, once.
    success: () => null,
  });
  const create = async (fields: ApiKeyFields): Promise<boolean> => {
    const added = await add(fields);
    if (added?.data.key) setCreated({ name: added.data.name, key: added.data.key });
    return added !== undefined;
  };

  const { send: end } = useChange({
    run: (apiKeyId: number) =>
      answer(api.POST('/api/admin/revoke-api-key', { body: { apiKeyId } })),
    stale: apiKeysQuery.queryKey,
  });
  const revoke = async ({ id, name }: ApiKey) => {
    const question = {
      title: `Revoke ${name}`,
      text: 'Its next call is refused, and this cannot be undone. Give the sales site a new key first.',
      yes: 'Yes, revoke',
      danger: true,
    };
    if (await ask(question)) await end(id);
  };

  const sources = new Set(keys.data?.flatMap(({ source }) => source ?? []));
  return (
    <div>
      <ScreenTitle>API Keys</ScreenTitle>
      {/* Without the permission the list shows the server's refusal. */}
      {may.manage_api_keys && <ApiKeyForm sources={[...sources]} onSave={create} />}
      <ApiKeyList keys={keys} onRevoke={(key) => void revoke(key)} />
      {created && <NewKeyDialog created={created} onClose={() => setCreated(null)} />}
      {dialog}
    </div>
  );
}
