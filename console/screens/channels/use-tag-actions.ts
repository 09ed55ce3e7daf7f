// Actions on all channels of a tag, and on the selected ones. Each can be undone for some seconds.
import type { Channel } from '../../../core/channels/channel.ts'
import { client } from '../../data/client.ts'
import { fill, useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import { undoable } from '../../parts/undo.ts'
import { words } from './list-texts.ts'
import { mayRest } from './losses.tsx'
import type { Order, TagRow } from './rows.ts'

export interface TagActs {
  edit(row: TagRow): void
  enable(row: TagRow): Promise<void>
  disable(row: TagRow): Promise<void>
  order(row: TagRow, fields: Order): Promise<void>
}

export const idsOf = (channels: readonly Channel[]): number[] => channels.map(({ id }) => id)

/** Calls `act` once per group of channels that share a value. */
export async function byValue<V>(
  channels: readonly Channel[],
  valueOf: (channel: Channel) => V,
  act: (ids: number[], value: V) => Promise<unknown>,
): Promise<void> {
  for (const value of new Set(channels.map(valueOf)))
    await act(idsOf(channels.filter((channel) => valueOf(channel) === value)), value)
}

/** Restores the status of each channel. */
export const restoreStatus = (before: readonly Channel[]) =>
  byValue(
    before,
    ({ status }) => status,
    (ids, status) => client.channels.switchMany({ ids, status }),
  )

/** The fields that can be changed for all channels of a tag at once. */
export type TagField = 'tag' | 'models' | 'group' | 'model_mapping' | 'priority' | 'weight'

/** Restores these fields of each channel. */
export async function restoreFields(before: readonly Channel[], fields: readonly TagField[]): Promise<void> {
  for (const channel of before) {
    const old = Object.fromEntries(fields.map((field) => [field, channel[field]]))
    await client.channels.update({ id: channel.id, ...old })
  }
}

export function useTagActions(reload: () => void, edit: (row: TagRow) => void): TagActs {
  const t = useTexts(words)
  const thenReload = async (work: Promise<unknown>) => {
    await work
    reload()
  }
  const [enable] = useAction(async ({ tag, channels }: TagRow) => {
    await undoable({
      message: fill(t.tagEnabled, { tag, n: channels.length }),
      act: () => thenReload(client.channels.enableTag({ tag })),
      back: () => thenReload(restoreStatus(channels)),
    })
  })
  const [disable] = useAction(async ({ tag, channels }: TagRow) => {
    const question = { title: fill(t.disableAsk, { name: fill(t.tag, { tag }) }), yes: t.disableAll }
    if (!(await mayRest(idsOf(channels), question))) return
    await undoable({
      message: fill(t.tagDisabled, { tag, n: channels.length }),
      act: () => thenReload(client.channels.disableTag({ tag })),
      back: () => thenReload(restoreStatus(channels)),
    })
  })
  const [order] = useAction(async ({ tag, channels }: TagRow, fields: Order) => {
    const title = fill(fields.priority === undefined ? t.weightAsk : t.priorityAsk, {
      n: fields.priority ?? fields.weight ?? 0,
    })
    if (!(await askConfirmation({ title, yes: t.set, harmless: true }))) return
    await undoable({
      message: fill(t.tagChanged, { tag }),
      act: () => thenReload(client.channels.updateTag({ tag, ...fields })),
      back: () => thenReload(restoreFields(channels, Object.keys(fields) as TagField[])),
    })
  })
  return { edit, enable, disable, order }
}
