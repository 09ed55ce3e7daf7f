// Actions on a channel, or on those of a tag, in its row. The row then shows the result without reloading the list.
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/confirm.tsx'
import type { RowActions } from '../../parts/table/column.ts'
import { deleteWithUndo, runWithUndo } from '../../parts/undo.ts'
import { useAction, type Loaded } from '../../data/use-endpoint.ts'
import type { Rows } from '../../data/use-paging.ts'
import { words as listWords } from './list-texts.ts'
import { confirmDelete, confirmDisable } from './losses.tsx'
import { type ChannelOrder, type ChannelRow, isTag } from './use-channels.ts'
import { words } from './texts.ts'
import type { TagActs } from './use-tag-actions.ts'

type Change = ChannelOrder & { models?: string }

const now = () => Math.floor(Date.now() / 1000)

/** `tested`: called to reload the health once the result of a test is stored. */
export function useRowActions(list: Loaded<Rows<Channel>>, tested: () => void) {
  const t = useTexts(words)
  const s = useTexts(listWords)
  const put = (id: number, fields: Partial<Channel>) =>
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === id ? { ...row, ...fields } : row)) }))

  const [toggle] = useAction(async ({ id, name, status: before }: Channel) => {
    const next = before === CHANNEL_STATUS.enabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
    const question = { title: fillPhrase(s.disableAsk, { name }), yes: t.disable }
    if (next === CHANNEL_STATUS.disabled && !(await confirmDisable([id], question))) return
    const set = async (status: number) => {
      const changed = await client.channels.update({ id, status })
      put(id, { status: changed.status, other_info: changed.other_info })
    }
    const message = fillPhrase(next === CHANNEL_STATUS.enabled ? t.enabledOne : t.disabledOne, { name })
    await runWithUndo({ message, act: () => set(next), back: () => set(before) })
  })
  const change = async ({ id, name }: Channel, fields: Change, before: Change) => {
    const set = async (fields: Change) => {
      await client.channels.update({ id, ...fields })
      put(id, fields)
    }
    await runWithUndo({ message: fillPhrase(t.changedOne, { name }), act: () => set(fields), back: () => set(before) })
  }
  const [order] = useAction((channel: Channel, fields: ChannelOrder) => {
    const { priority, weight } = channel
    return change(channel, fields, fields.priority === undefined ? { weight } : { priority })
  })
  const [setModels] = useAction((channel: Channel, models: string[]) =>
    change(channel, { models: models.join(',') }, { models: channel.models }),
  )
  const [remove] = useAction(async ({ id, name }: Channel) => {
    if (!(await confirmDelete([id], { title: t.deleteOne, undoable: true }))) return
    deleteWithUndo({
      from: 'channels',
      ids: [id],
      name,
      act: async () => {
        await client.channels.delete({ id })
        notify.success(t.deleted)
        list.reload()
      },
    })
  })
  const [copy] = useAction(async ({ id }: Channel) => {
    if (!(await askConfirmation({ title: s.copyAsk, yes: s.copy, harmless: true }))) return
    await client.channels.copy({ id })
    notify.success(s.copied)
    list.reload()
  })
  const [balance] = useAction(async ({ id, name }: Channel) => {
    const reply = await client.channels.updateBalance({ id })
    put(id, { balance: reply.balance, balance_updated_time: now() })
    notify.info(fillPhrase(s.balanceDone, { name }))
  })
  const [test] = useAction(async ({ id, name }: Channel) => {
    try {
      const { time } = await client.channels.test({ id })
      notify.info(fillPhrase(t.passed, { name, t: time.toFixed(2) }))
      put(id, { response_time: Math.round(time * 1000), test_time: now() })
    } finally {
      tested()
    }
  })
  return { toggle, order, setModels, remove, copy, balance, test }
}

type Acts = Omit<ReturnType<typeof useRowActions>, 'order' | 'balance' | 'setModels'> & {
  edit(channel: Channel): void
  fetch(channel: Channel): void
  route(channel: Channel): void
  testModels(channel: Channel): void
  tags: TagActs
}

/** The actions of a row: one as a button, the others in the menu. */
export function useChannelActions({ toggle, remove, copy, test, testModels, edit, fetch, route, tags }: Acts) {
  const t = useTexts(words)
  const s = useTexts(listWords)
  const ofChannel = (channel: Channel): RowActions => ({
    verb: { key: 'test', label: t.test, run: () => void test(channel) },
    more: [
      { key: 'edit', label: t.edit, run: () => edit(channel) },
      {
        key: 'toggle',
        label: channel.status === CHANNEL_STATUS.enabled ? t.disable : t.enable,
        run: () => void toggle(channel),
      },
      { key: 'copy', label: s.copy, run: () => void copy(channel) },
      { key: 'fetch', label: s.fetch, divider: true, run: () => fetch(channel) },
      { key: 'route', label: s.routeOf, run: () => route(channel) },
      { key: 'models', label: s.testModels, run: () => testModels(channel) },
      { key: 'delete', label: t.delete, danger: true, divider: true, run: () => void remove(channel) },
    ],
  })
  return (row: ChannelRow): RowActions => {
    if (!isTag(row)) return ofChannel(row)
    if (row.tag === '') return { more: [] }
    return {
      verb: { key: 'edit', label: s.editTag, run: () => tags.edit(row) },
      more: [
        { key: 'enable', label: s.enableAll, run: () => void tags.enable(row) },
        { key: 'disable', label: s.disableAll, run: () => void tags.disable(row) },
      ],
    }
  }
}
