// The keys of one channel, shown by their ends: which are on and why others are not. Keys can be added, switched and
// removed.
import { useState } from 'react'
import type { Channel } from '../../../core/channels/channel.ts'
import type { CHANNEL_KEY_ACTIONS, ShownKey } from '../../../core/channels/keys-contract.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-translated-log-text.ts'
import { cutPageRows } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { TablePager } from '../../parts/table/pager.tsx'
import { ColorDot } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input, TextArea } from '../../semi.ts'
import { KEY_STATE_NAMES, keyStateColors, matchesChannelKey, getKeyState, type KeyState } from './key-state.ts'
import './channel-keys.css'

const STATE_TEXTS = texts({ on: 'on', byHand: 'disabled manually', byItself: 'disabled automatically' })

interface Props {
  id: number
  name: string
  version: number | undefined
  onChanged(channel: Channel): void
  onClose(): void
}

type KeyAction = (typeof CHANNEL_KEY_ACTIONS)[number]
/** Maximum number of keys that one call accepts. */
const AT_ONCE = 1000

export function ChannelKeys({ id, name, version, onChanged, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const list = useEndpointWithError(['channels.keys', id], () => apiClient.channels.keys({ id }))
  const keys = list.data ?? []
  const [find, setFind] = useState('')
  const [state, setState] = useState<KeyState | ''>('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const [fresh, setFresh] = useState('')

  const took = async (data: ShownKey[]) => {
    list.change(() => data)
    const channel = await apiClient.channels.get({ id })
    onChanged(channel)
    return channel.version
  }
  const [act, busy] = useAction(async (some: readonly ShownKey[], action: KeyAction) => {
    const count = format.number(some.length)
    const title =
      some.length === 1
        ? t('Remove key {key}?', { key: some[0]!.key })
        : t('Remove the {n} disabled keys?', { n: count })
    if (
      action === 'remove' &&
      !(await askConfirmation({
        title,
        body: t('The key is removed for good: it is not shown or used again.'),
        yes: t('Remove'),
      }))
    )
      return
    const prints = some.map(({ fingerprint }) => fingerprint)
    let seen = version
    for (let from = 0; from < prints.length; from += AT_ONCE) {
      const part = prints.slice(from, from + AT_ONCE)
      const { data } = await apiClient.channels.manageKeys({ id, keys: part, action, version: seen })
      seen = await took(data)
    }
  })
  const [add, adding] = useAction(async () => {
    if (fresh.trim() === '') return
    const { data, changed } = await apiClient.channels.addKeys({ id, key: fresh, version })
    if (changed === 0) showNotice.info(t('The channel has these keys already'))
    else showNotice.success(t('{n} keys added', { n: format.number(changed) }))
    setFresh('')
    await took(data)
  })

  const found = keys.filter((key) => (state === '' || getKeyState(key) === state) && matchesChannelKey(key, find))
  const off = keys.filter(({ on }) => !on)
  // Removing keys may have emptied the last page.
  const paging = { page: Math.min(page, Math.max(1, Math.ceil(found.length / size))), size }
  const rows = cutPageRows(found, paging)
  const isOnly = keys.length === 1 && keys[0]!.fingerprint === ''
  return (
    <ModalDialog
      title={t('Keys of {name}', { name })}
      wide
      onClose={onClose}
      foot={
        <>
          <span className="dialog-aside hint" role="status">
            {list.data &&
              t('{n} keys, {off} disabled', { n: format.number(keys.length), off: format.number(off.length) })}
          </span>
          {off.length > 0 && (
            <Button type="danger" loading={busy} onClick={() => void act(off, 'remove')}>
              {t('Remove all disabled keys')}
            </Button>
          )}
          <Button type="tertiary" onClick={onClose}>
            {t('Done')}
          </Button>
        </>
      }
    >
      {list.error ? (
        <EmptyState failed title={list.error}>
          <Button onClick={list.reload}>{t('Try again')}</Button>
        </EmptyState>
      ) : !list.data ? (
        <LoadingIndicator />
      ) : (
        <>
          <div className="keys-find">
            <Input
              aria-label={t('Search by first or last characters, fingerprint or reason')}
              placeholder={t('Search by first or last characters, fingerprint or reason')}
              value={find}
              showClear
              onChange={(text) => {
                setFind(text)
                setPage(1)
              }}
            />
            <SegmentedChoice
              label={t('State')}
              value={state}
              options={[
                { value: '', label: t('All keys') },
                ...KEY_STATE_NAMES.map((value) => ({ value, label: t(STATE_TEXTS[value]) })),
              ]}
              onChange={(value) => {
                setState(value as KeyState | '')
                setPage(1)
              }}
            />
          </div>
          {rows.rows.length === 0 && <p className="hint">{t('No key matches')}</p>}
          <ul className="keys-rows">
            {rows.rows.map((key) => (
              <li key={key.fingerprint}>
                <span className="muted number">{format.number(key.place)}</span>
                <span className="mono" data-tip={key.fingerprint || undefined}>
                  {key.key}
                </span>
                <StateOfKey shown={key} />
                {!isOnly && <KeyActs shown={key} busy={busy} act={(action) => void act([key], action)} />}
              </li>
            ))}
          </ul>
          {found.length > 0 && (
            <TablePager
              data={rows}
              paging={{
                ...paging,
                show: setPage,
                resize(next) {
                  setSize(next)
                  setPage(1)
                },
              }}
            />
          )}
          <FormField
            field="key"
            label={t('New keys')}
            hint={t('One per line. Keys that the channel already has are left out.')}
          >
            <TextArea
              className="mono"
              aria-label={t('New keys')}
              autosize={{ minRows: 2, maxRows: 8 }}
              autoComplete="off"
              spellCheck={false}
              value={fresh}
              onChange={setFresh}
            />
          </FormField>
          <Button loading={adding} disabled={fresh.trim() === ''} onClick={() => void add()}>
            {t('Add keys')}
          </Button>
        </>
      )}
    </ModalDialog>
  )
}

function StateOfKey({ shown }: { shown: ShownKey }) {
  const t = useText()
  const translate = useTranslatedLogText()
  const state = getKeyState(shown)
  const { since, reason, used_at, last_error } = shown
  return (
    <span className="keys-state">
      <ColorDot isWord color={keyStateColors[state]}>
        {t(STATE_TEXTS[state])}
      </ColorDot>{' '}
      {since > 0 && (
        <span className="muted">
          <RelativeTime seconds={since} />
        </span>
      )}
      {reason && <span className="keys-reason">{translate(reason)}</span>}
      <span className="keys-reason">
        {used_at === 0 ? t('not used in the last week') : t('last used, to the hour:')}{' '}
        {used_at > 0 && <RelativeTime seconds={used_at} />}
      </span>
      {last_error && (
        <span className="keys-reason">
          {t('last error')} <RelativeTime seconds={last_error.at} />: {translate(last_error.error)}
        </span>
      )}
    </span>
  )
}

function KeyActs({ shown, busy, act }: { shown: ShownKey; busy: boolean; act(action: KeyAction): void }) {
  const t = useText()
  const { key, place, on } = shown
  const formatAction = (verb: string) => t('{verb} key {place} {key}', { verb, place: String(place), key })
  const [turn, verb] = on
    ? (['disable', t('Disable', { context: 'rule' })] as const)
    : (['enable', t('Enable')] as const)
  return (
    <span className="keys-acts">
      <Button
        size="small"
        theme="borderless"
        type="tertiary"
        disabled={busy}
        aria-label={formatAction(verb)}
        onClick={() => act(turn)}
      >
        {verb}
      </Button>
      <Button
        size="small"
        type="danger"
        disabled={busy}
        aria-label={formatAction(t('Remove'))}
        onClick={() => act('remove')}
      >
        {t('Remove')}
      </Button>
    </span>
  )
}
