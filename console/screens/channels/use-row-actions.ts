// What can be done to a channel in its row; the row then shows the outcome without asking for the list again.
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction, type Loaded } from '../../data/use-endpoint.ts'
import type { Rows } from '../../data/use-paging.ts'
import { words } from './texts.ts'

export function useRowActions(list: Loaded<Rows<Channel>>) {
  const t = useTexts(words)
  const put = (id: number, fields: Partial<Channel>) =>
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === id ? { ...row, ...fields } : row)) }))

  const [toggle] = useAction(async ({ id, status }: Channel) => {
    const wanted = status === CHANNEL_STATUS.enabled ? CHANNEL_STATUS.disabled : CHANNEL_STATUS.enabled
    const changed = await client.channels.update({ id, status: wanted })
    notify.success(t.done)
    put(id, { status: changed.status, other_info: changed.other_info })
  })
  const [order] = useAction(async ({ id }: Channel, fields: { priority?: number; weight?: number }) => {
    await client.channels.update({ id, ...fields })
    notify.success(t.done)
    put(id, fields)
  })
  const [remove] = useAction(async ({ id }: Channel) => {
    await client.channels.delete({ id })
    notify.success(t.deleted)
    list.reload()
  })
  const [test] = useAction(async ({ id, name }: Channel, model: string) => {
    const { time } = await client.channels.test({ id, model })
    notify.info(fill(t.passed, { name, t: time.toFixed(2) }))
    put(id, { response_time: Math.round(time * 1000), test_time: Math.floor(Date.now() / 1000) })
  })
  return { toggle, order, remove, test }
}
