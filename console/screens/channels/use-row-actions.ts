// Actions on a channel, or on those of a tag, in its row. The row then shows the result without reloading the list.
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import type { RowActions } from '../../parts/table/column.ts'
import { deleteWithUndo, runWithUndo } from '../../parts/overlay/undo.ts'
import { useAction, type LoadedEndpoint } from '../../data/use-endpoint.ts'
import type { PageOfRows } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { confirmDelete, confirmDisable } from './losses.tsx'
import { type ChannelOrder, type ChannelRow, isTagRow } from './use-channels.ts'
import type { TagActs } from './use-tag-actions.ts'

type ChannelRowChange = ChannelOrder & { models?: string }

const now = () => Math.floor(Date.now() / 1000)

/** `tested`: called to reload the health once the result of a test is stored. */
export function useRowActions(list: LoadedEndpoint<PageOfRows<Channel>>, tested: () => void) {
  const t = useText()
  const put = (id: number, fields: Partial<Channel>) =>
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === id ? { ...row, ...fields } : row)) }))

  const [toggle] = useAction(async ({ id, name, status: before }: Channel) => {
    const next = before === CHANNEL_STATUS.enabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
    const question = { title: t('Disable {name}?', { name }), yes: t('Disable') }
    if (next === CHANNEL_STATUS.disabled && !(await confirmDisable([id], question))) return
    const set = async (status: number) => {
      const changed = await apiClient.channels.update({ id, status })
      put(id, { status: changed.status, other_info: changed.other_info })
    }
    const message = t(next === CHANNEL_STATUS.enabled ? '{name} enabled' : '{name} disabled', { name })
    await runWithUndo({ message, act: () => set(next), back: () => set(before) })
  })
  const change = async ({ id, name }: Channel, fields: ChannelRowChange, before: ChannelRowChange) => {
    const set = async (fields: ChannelRowChange) => {
      await apiClient.channels.update({ id, ...fields })
      put(id, fields)
    }
    await runWithUndo({ message: t('{name} changed', { name }), act: () => set(fields), back: () => set(before) })
  }
  const [order] = useAction((channel: Channel, fields: ChannelOrder) => {
    const { priority, weight } = channel
    return change(channel, fields, fields.priority === undefined ? { weight } : { priority })
  })
  const [setModels] = useAction((channel: Channel, models: string[]) =>
    change(channel, { models: models.join(',') }, { models: channel.models }),
  )
  const [remove] = useAction(async ({ id, name }: Channel) => {
    if (!(await confirmDelete([id], { title: t('Delete channel {name}?', { name }), undoable: true }))) return
    deleteWithUndo({
      from: 'channels',
      ids: [id],
      name,
      act: async () => {
        await apiClient.channels.delete({ id })
        showNotice.success(t('channel deleted'))
        list.reload()
      },
    })
  })
  const [copy] = useAction(async ({ id, name }: Channel) => {
    if (
      !(await askConfirmation({
        title: t('Copy channel {name} with all its settings?', { name }),
        yes: t('Copy'),
        harmless: true,
      }))
    )
      return
    await apiClient.channels.copy({ id })
    showNotice.success(t('channel copied'))
    list.reload()
  })
  const [balance] = useAction(async ({ id, name }: Channel) => {
    const reply = await apiClient.channels.updateBalance({ id })
    put(id, { balance: reply.balance, balance_updated_time: now() })
    showNotice.info(t('balance of {name} updated', { name }))
  })
  const [test] = useAction(async ({ id, name }: Channel) => {
    try {
      const { time } = await apiClient.channels.test({ id })
      showNotice.info(t('channel {name} passed, {t} seconds', { name, t: time.toFixed(2) }))
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
  const t = useText()
  const ofChannel = (channel: Channel): RowActions => ({
    verb: { key: 'test', label: t('Test'), run: () => void test(channel) },
    more: [
      { key: 'edit', label: t('Edit'), run: () => edit(channel) },
      {
        key: 'toggle',
        label: channel.status === CHANNEL_STATUS.enabled ? t('Disable') : t('Enable'),
        run: () => void toggle(channel),
      },
      { key: 'copy', label: t('Copy'), run: () => void copy(channel) },
      { key: 'fetch', label: t('Fetch models'), divider: true, run: () => fetch(channel) },
      { key: 'route', label: t('Route of its calls'), run: () => route(channel) },
      { key: 'models', label: t('Test models and keys'), run: () => testModels(channel) },
      { key: 'delete', label: t('Delete'), danger: true, divider: true, run: () => void remove(channel) },
    ],
  })
  return (row: ChannelRow): RowActions => {
    if (!isTagRow(row)) return ofChannel(row)
    if (row.tag === '') return { more: [] }
    return {
      verb: { key: 'edit', label: t('Edit'), run: () => tags.edit(row) },
      more: [
        { key: 'enable', label: t('Enable all'), run: () => void tags.enable(row) },
        { key: 'disable', label: t('Disable all'), run: () => void tags.disable(row) },
      ],
    }
  }
}
