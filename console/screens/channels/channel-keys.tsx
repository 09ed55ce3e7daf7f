// The keys of one channel, shown by their ends: which are on and why others are not. Keys can be added, switched and
// removed.
import { useState } from 'react'
import type { Channel } from '../../../core/channels/channel.ts'
import type { KEY_ACTIONS, ShownKey } from '../../../core/channels/keys-contract.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { useTranslatedLogText } from '../../data/use-retold.ts'
import { pageRows } from '../../data/use-paging.ts'
import { Choice } from '../../parts/choice.tsx'
import { askConfirmation } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { EmptyState } from '../../parts/empty.tsx'
import { Field } from '../../parts/field.tsx'
import { Pager } from '../../parts/table/pager.tsx'
import { Dot } from '../../parts/tags.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { Button, Input, TextArea } from '../../semi.ts'
import { KEY_STATES, keyColors, matchesKey, getKeyState, type KeyState } from './key-state.ts'
import { words } from './key-texts.ts'
import './channel-keys.css'

interface Props {
  id: number
  name: string
  version: number | undefined
  onChanged(channel: Channel): void
  onClose(): void
}

type Action = (typeof KEY_ACTIONS)[number]
/** Maximum number of keys that one call accepts. */
const AT_ONCE = 1000

export function ChannelKeys({ id, name, version, onChanged, onClose }: Props) {
  const t = useTexts(words)
  const format = useFormat()
  const list = useEndpoint(['channels.keys', id], () => client.channels.keys({ id }))
  const keys = list.data ?? []
  const [find, setFind] = useState('')
  const [state, setState] = useState<KeyState | ''>('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const [fresh, setFresh] = useState('')

  const took = async (data: ShownKey[]) => {
    list.change(() => data)
    const channel = await client.channels.get({ id })
    onChanged(channel)
    return channel.version
  }
  const [act, busy] = useAction(async (some: readonly ShownKey[], action: Action) => {
    const count = format.number(some.length)
    const title =
      some.length === 1 ? fillPhrase(t.removeOne, { key: some[0]!.key }) : fillPhrase(t.removeAll, { n: count })
    if (action === 'remove' && !(await askConfirmation({ title, body: t.removeBody, yes: t.remove }))) return
    const prints = some.map(({ fingerprint }) => fingerprint)
    let seen = version
    for (let from = 0; from < prints.length; from += AT_ONCE) {
      const part = prints.slice(from, from + AT_ONCE)
      const { data } = await client.channels.manageKeys({ id, keys: part, action, version: seen })
      seen = await took(data)
    }
  })
  const [add, adding] = useAction(async () => {
    if (fresh.trim() === '') return
    const { data, changed } = await client.channels.addKeys({ id, key: fresh, version })
    if (changed === 0) notify.info(t.addedNone)
    else notify.success(fillPhrase(t.added, { n: format.number(changed) }))
    setFresh('')
    await took(data)
  })

  const found = keys.filter((key) => (state === '' || getKeyState(key) === state) && matchesKey(key, find))
  const off = keys.filter(({ on }) => !on)
  // Removing keys may have emptied the last page.
  const paging = { page: Math.min(page, Math.max(1, Math.ceil(found.length / size))), size }
  const rows = pageRows(found, paging)
  const isOnly = keys.length === 1 && keys[0]!.fingerprint === ''
  return (
    <Dialog
      title={fillPhrase(t.keysTitle, { name })}
      wide
      onClose={onClose}
      foot={
        <>
          <span className="dialog-aside hint" role="status">
            {list.data && fillPhrase(t.counts, { n: format.number(keys.length), off: format.number(off.length) })}
          </span>
          {off.length > 0 && (
            <Button type="danger" loading={busy} onClick={() => void act(off, 'remove')}>
              {t.removeOff}
            </Button>
          )}
          <Button type="tertiary" onClick={onClose}>
            {t.done}
          </Button>
        </>
      }
    >
      {list.error ? (
        <EmptyState failed title={list.error}>
          <Button onClick={list.reload}>{t.retry}</Button>
        </EmptyState>
      ) : !list.data ? (
        <LoadingIndicator />
      ) : (
        <>
          <div className="keys-find">
            <Input
              aria-label={t.find}
              placeholder={t.find}
              value={find}
              showClear
              onChange={(text) => {
                setFind(text)
                setPage(1)
              }}
            />
            <Choice
              label={t.state}
              value={state}
              options={[{ value: '', label: t.all }, ...KEY_STATES.map((value) => ({ value, label: t[value] }))]}
              onChange={(value) => {
                setState(value as KeyState | '')
                setPage(1)
              }}
            />
          </div>
          {rows.rows.length === 0 && <p className="hint">{t.none}</p>}
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
            <Pager
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
          <Field field="key" label={t.newKeys} hint={t.newKeysHint}>
            <TextArea
              className="mono"
              aria-label={t.newKeys}
              autosize={{ minRows: 2, maxRows: 8 }}
              autoComplete="off"
              spellCheck={false}
              value={fresh}
              onChange={setFresh}
            />
          </Field>
          <Button loading={adding} disabled={fresh.trim() === ''} onClick={() => void add()}>
            {t.add}
          </Button>
        </>
      )}
    </Dialog>
  )
}

function StateOfKey({ shown }: { shown: ShownKey }) {
  const t = useTexts(words)
  const translate = useTranslatedLogText()
  const state = getKeyState(shown)
  const { since, reason, used_at, last_error } = shown
  return (
    <span className="keys-state">
      <Dot color={keyColors[state]}>{t[state]}</Dot>{' '}
      {since > 0 && (
        <span className="muted">
          <RelativeTime seconds={since} />
        </span>
      )}
      {reason && <span className="keys-reason">{translate(reason)}</span>}
      <span className="keys-reason">
        {used_at === 0 ? t.unused : t.used} {used_at > 0 && <RelativeTime seconds={used_at} />}
      </span>
      {last_error && (
        <span className="keys-reason">
          {t.lastError} <RelativeTime seconds={last_error.at} />: {translate(last_error.error)}
        </span>
      )}
    </span>
  )
}

function KeyActs({ shown, busy, act }: { shown: ShownKey; busy: boolean; act(action: Action): void }) {
  const t = useTexts(words)
  const { key, place, on } = shown
  const formatAction = (verb: string) => fillPhrase(t.verbOf, { verb, place: String(place), key })
  const [turn, verb] = on ? (['disable', t.disable] as const) : (['enable', t.enable] as const)
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
        aria-label={formatAction(t.remove)}
        onClick={() => act('remove')}
      >
        {t.remove}
      </Button>
    </span>
  )
}
