// The keys of a channel by their ends, with the state of each. A dialog changes them.
import { useState } from 'react'
import { loadLater } from '../../parts/load-later.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import type { ShownKey } from '../../../core/channels/keys-contract.ts'
import { apiClient } from '../../data/client.ts'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { cutPageRows, usePaging } from '../../data/use-paging.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { useText, texts } from '../../data/texts.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { Button } from '../../semi.ts'
import { getKeyState, keyStateColors } from '../channels/key-state.ts'

const ChannelKeys = loadLater(async () => (await import('../channels/channel-keys.tsx')).ChannelKeys)
const STATE_TEXTS = texts({ on: 'on', byHand: 'disabled manually', byItself: 'disabled automatically' })

interface Props {
  channel: Channel & { version?: number }
  onChanged(): void
}

export function ChannelKeySection({ channel: { id, name, version }, onChanged }: Props) {
  const t = useText()
  const paging = usePaging({ above: 435 })
  const [managed, setManaged] = useState(false)
  const read = useEndpointWithError(['channels.keys', id], () => apiClient.channels.keys({ id }))
  const list = {
    ...read,
    data: read.data && cutPageRows(read.data, paging),
    loadAll: () => Promise.resolve(read.data ?? []),
    change: () => read.reload(),
  }
  return (
    <>
      <p>
        <Button onClick={() => setManaged(true)}>{t('Manage keys')}</Button>
      </p>
      <DataTable
        name="channel-keys"
        label={t('Keys')}
        columns={useKeyColumns()}
        rowKey={({ place }) => place}
        rowName={({ key, place }) => key || String(place)}
        list={list}
        paging={paging}
        isShaded={({ on }) => !on}
        empty={{ title: t('This channel has no key') }}
      />
      {managed && (
        <ChannelKeys
          id={id}
          name={name}
          version={version}
          onChanged={() => {
            read.reload()
            onChanged()
          }}
          onClose={() => setManaged(false)}
        />
      )}
    </>
  )
}

function useKeyColumns(): TableColumn<ShownKey>[] {
  const t = useText()
  const translate = useTranslatedLogText()
  return [
    {
      key: 'place',
      title: t('Place'),
      rank: 2,
      width: 70,
      under: ['key'],
      render: ({ place }) => <span className="number">{place}</span>,
    },
    {
      key: 'key',
      title: t('Key'),
      rank: 1,
      width: 150,
      card: 'title',
      render: ({ key }) => (key === '' ? <StandaloneWord muted>{t('none')}</StandaloneWord> : <code>{key}</code>),
    },
    {
      key: 'state',
      title: t('State'),
      rank: 1,
      width: 150,
      card: 'badge',
      render: (key) => <StateTag color={keyStateColors[getKeyState(key)]}>{t(STATE_TEXTS[getKeyState(key)])}</StateTag>,
    },
    {
      key: 'reason',
      title: t('Reason', { context: 'disabled' }),
      rank: 3,
      width: 200,
      under: ['state'],
      render: ({ reason }) => (reason === '' ? null : translate(reason)),
    },
    {
      key: 'used',
      title: t('Last used'),
      rank: 2,
      width: 120,
      card: 'number',
      render: ({ used_at }) =>
        used_at > 0 ? <RelativeTime seconds={used_at} /> : <StandaloneWord>{t('not yet')}</StandaloneWord>,
    },
    {
      key: 'error',
      title: t('Last error'),
      rank: 4,
      width: 220,
      under: ['used'],
      render: ({ last_error }) => last_error && translate(last_error.error),
    },
  ]
}
