import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/api/types';
import { Button } from '@/ui/Button';
import { Chip, type Tone } from '@/ui/Chip';
import type { Column } from '@/ui/column';
import { ListScreen } from '@/ui/ListScreen';
import { LoadedTable } from '@/ui/LoadedTable';
import { SearchBox } from '@/ui/SearchBox';
import { Time } from '@/ui/Time';
import { dateAndTime } from '@/ui/times';
import { useZone } from '@/ui/zone';
import { RIGHTS } from './apiKeyFields';

interface ApiKeyListProps {
  keys: UseQueryResult<ApiKey[]>;
  onRevoke: (key: ApiKey) => void;
}

/** The API keys, those in use first. */
export function ApiKeyList({ keys, onRevoke }: ApiKeyListProps) {
  const [q, setQ] = useState('');
  const wanted = q.trim().toLowerCase();
  const rows = keys.data?.filter(({ name, source, start }) =>
    [name, source, start].some((text) => text?.toLowerCase().includes(wanted)),
  );
  const inUse = keys.data?.filter(({ state }) => state === 'active').length;
  return (
    <ListScreen
      title="API Key List"
      nested
      summary={inUse !== undefined && `${inUse} in use`}
      busy={keys.isFetching}
      bar={<SearchBox label="Search the keys" value={q} onSearch={setQ} />}
    >
      <LoadedTable
        label="API Key List"
        columns={columnsOf(useZone(), onRevoke)}
        rows={rows}
        rowId={({ id }) => id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        emptyReason={
          q
            ? `No key matches “${q}”.`
            : 'There are no API keys. A sales site needs one to send orders.'
        }
        onClear={q ? () => setQ('') : undefined}
      />
    </ListScreen>
  );
}

const STATES: Readonly<Record<string, readonly [Tone, string]>> = {
  active: ['done', 'In use'],
  expired: ['warn', 'Expired'],
  revoked: ['neutral', 'Revoked'],
};

/** Returns the limits of the key, in words; empty if it has none. */
function limitsOf(
  { rights, expires_at, networks, calls_per_minute, strict }: ApiKey,
  zone: string,
): string {
  const limits = [
    rights.length < RIGHTS.length && rights.join(', '),
    expires_at && `until ${dateAndTime(expires_at, zone)}`,
    networks && `from ${networks}`,
    calls_per_minute && `${calls_per_minute} calls a minute`,
    strict && 'strict',
  ];
  return limits.filter(Boolean).join(' · ');
}

function columnsOf(zone: string, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      title: 'Name',
      widthPx: 150,
      grows: true,
      cell: ({ name }) => <bdi title={name}>{name}</bdi>,
    },
    {
      title: 'Key',
      widthPx: 140,
      narrowPx: 126,
      cell: ({ start }) => (start ? `${start}…` : 'vdk_…'),
    },
    {
      title: 'Source',
      widthPx: 130,
      grows: true,
      cell: ({ source }) => (source ? <bdi title={source}>{source}</bdi> : 'All orders'),
    },
    {
      title: 'Limits',
      widthPx: 200,
      grows: true,
      cell: (key) => {
        const limits = limitsOf(key, zone) || 'None';
        return <span title={limits}>{limits}</span>;
      },
    },
    {
      title: 'Last used',
      widthPx: 190,
      narrowPx: 96,
      cell: ({ last_used_at }) => (last_used_at ? <Time iso={last_used_at} /> : 'Never'),
    },
    {
      title: 'State',
      widthPx: 92,
      narrowPx: 84,
      cell: ({ state }) => {
        const [tone, label] = STATES[state] ?? ['neutral', state];
        return <Chip tone={tone}>{label}</Chip>;
      },
    },
    {
      title: 'Action',
      widthPx: 92,
      cell: (key) =>
        key.state !== 'revoked' && (
          <Button
            small
            kind="danger"
            aria-label={`Revoke ${key.name}`}
            onClick={() => onRevoke(key)}
          >
            Revoke
          </Button>
        ),
    },
  ];
}
