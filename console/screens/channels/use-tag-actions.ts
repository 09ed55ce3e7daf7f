// Actions on all channels of a tag, and on the selected ones. Each can be undone for some seconds.
import type { Channel } from '../../../core/channels/channel.ts'
import { apiClient } from '../../data/client.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { runWithUndo } from '../../parts/overlay/undo.ts'
import { confirmDisable } from './losses.tsx'
import type { ChannelOrder, TagRow } from './use-channels.ts'

export interface TagActs {
  edit(row: TagRow): void
  enable(row: TagRow): Promise<void>
  disable(row: TagRow): Promise<void>
  order(row: TagRow, fields: ChannelOrder): Promise<void>
}

export const listIds = (channels: readonly Channel[]): number[] => channels.map(({ id }) => id)

/** Calls `act` once per group of channels that share a value. */
export async function runByValue<V>(
  channels: readonly Channel[],
  valueOf: (channel: Channel) => V,
  act: (ids: number[], value: V) => Promise<unknown>,
): Promise<void> {
  for (const value of new Set(channels.map(valueOf)))
    await act(listIds(channels.filter((channel) => valueOf(channel) === value)), value)
}

/** Restores the status of each channel. */
export const restoreChannelStatus = (before: readonly Channel[]) =>
  runByValue(
    before,
    ({ status }) => status,
    (ids, status) => apiClient.channels.switchMany({ ids, status }),
  )

/** The fields that can be changed for all channels of a tag at once. */
export type TagField =
  | 'tag'
  | 'models'
  | 'group'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'param_override'
  | 'setting'
  | 'auto_ban'
  | 'test_model'
  | 'max_input_tokens'
  | 'openai_organization'
  | 'priority'
  | 'weight'

/** Restores these fields of each channel. */
export async function restoreChannelFields(before: readonly Channel[], fields: readonly TagField[]): Promise<void> {
  for (const channel of before) {
    const old = Object.fromEntries(fields.map((field) => [field, channel[field]]))
    await apiClient.channels.update({ id: channel.id, ...old })
  }
}

export function useTagActions(reload: () => void, edit: (row: TagRow) => void): TagActs {
  const t = useText()
  const thenReload = async (work: Promise<unknown>) => {
    await work
    reload()
  }
  const [enable] = useAction(async ({ tag, channels }: TagRow) => {
    await runWithUndo({
      message: t('{tag}: {n} channels enabled', { tag, n: channels.length }),
      act: () => thenReload(apiClient.channels.enableTag({ tag })),
      back: () => thenReload(restoreChannelStatus(channels)),
    })
  })
  const [disable] = useAction(async ({ tag, channels }: TagRow) => {
    const question = { title: t('Disable {name}?', { name: t('Tag: {tag}', { tag }) }), yes: t('Disable all') }
    if (!(await confirmDisable(listIds(channels), question))) return
    await runWithUndo({
      message: t('{tag}: {n} channels disabled', { tag, n: channels.length }),
      act: () => thenReload(apiClient.channels.disableTag({ tag })),
      back: () => thenReload(restoreChannelStatus(channels)),
    })
  })
  const [order] = useAction(async ({ tag, channels }: TagRow, fields: ChannelOrder) => {
    const title = t(
      fields.priority === undefined
        ? 'Set the weight of all sub-channels to {n}?'
        : 'Set the priority of all sub-channels to {n}?',
      {
        n: fields.priority ?? fields.weight ?? 0,
      },
    )
    if (!(await askConfirmation({ title, yes: t('Set'), harmless: true }))) return
    await runWithUndo({
      message: t('{tag} changed', { tag }),
      act: () => thenReload(apiClient.channels.updateTag({ tag, ...fields })),
      back: () => thenReload(restoreChannelFields(channels, Object.keys(fields) as TagField[])),
    })
  })
  return { edit, enable, disable, order }
}
