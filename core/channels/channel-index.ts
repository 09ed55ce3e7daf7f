// Group and model → channels, in memory. Owner of the channel cache: rebuilt whenever a channel changes.
import type { Storage } from '../ports/storage.ts'
import { CHANNEL_STATUS, ChannelSetting, jsonObject, namesIn, type KeyedChannel } from './channel.ts'

/** A channel as calls use it: its lists and JSON texts read once. */
export interface RoutedChannel extends KeyedChannel {
  model_names: string[]
  groups: string[]
  mapping: Record<string, string>
  status_mapping: Record<string, number>
  override: Record<string, unknown>
  settings: ChannelSetting
}

export interface ChannelIndex {
  /** Enabled channels that serve the model to the group. */
  candidates(group: string, model: string): readonly RoutedChannel[]
  /** Any channel, also a disabled one. */
  find(id: number): RoutedChannel | undefined
  /** Models that enabled channels serve to any of the groups, sorted. */
  models(groups: readonly string[]): string[]
  /** Models that enabled channels serve to anybody, sorted. */
  allModels(): string[]
}

/** Builds the index and keeps it fresh. */
export async function createChannelIndex(storage: Storage): Promise<ChannelIndex> {
  let byId = new Map<number, RoutedChannel>()
  let byGroup = new Map<string, Map<string, RoutedChannel[]>>()

  let begun = 0
  let shown = 0

  const rebuild = async () => {
    const turn = ++begun
    const channels = (await storage.channels.all()).map(routed)
    // Several may run at once: what was read later stays.
    if (turn < shown) return
    shown = turn
    byId = new Map(channels.map((channel) => [channel.id, channel]))
    byGroup = indexOf(channels.filter((channel) => channel.status === CHANNEL_STATUS.enabled))
  }
  storage.onChange((change) => (change.topic === 'channels' ? rebuild() : undefined))
  await rebuild()

  const modelsOf = (groups: Iterable<string>) => {
    const names = new Set<string>()
    for (const group of groups) for (const model of byGroup.get(group)?.keys() ?? []) names.add(model)
    return [...names].sort()
  }
  return {
    candidates: (group, model) => byGroup.get(group)?.get(model) ?? [],
    find: (id) => byId.get(id),
    models: modelsOf,
    allModels: () => modelsOf(byGroup.keys()),
  }
}

function indexOf(channels: RoutedChannel[]): Map<string, Map<string, RoutedChannel[]>> {
  const index = new Map<string, Map<string, RoutedChannel[]>>()
  for (const channel of channels) {
    for (const group of channel.groups) {
      let models = index.get(group)
      if (!models) index.set(group, (models = new Map()))
      for (const model of channel.model_names) {
        const list = models.get(model)
        if (list) list.push(channel)
        else models.set(model, [channel])
      }
    }
  }
  return index
}

/** Reads a channel's lists and JSON texts. */
export function routed(channel: KeyedChannel): RoutedChannel {
  const texts = (json: string) =>
    Object.entries(jsonObject(json)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const statuses = Object.entries(jsonObject(channel.status_code_mapping))
    .map(([from, to]) => [from, Number(to)] as const)
    .filter(([, to]) => Number.isInteger(to) && to >= 100 && to <= 599)
  return {
    ...channel,
    model_names: namesIn(channel.models),
    groups: namesIn(channel.group),
    mapping: Object.fromEntries(texts(channel.model_mapping)),
    status_mapping: Object.fromEntries(statuses),
    override: jsonObject(channel.param_override),
    settings: ChannelSetting.safeParse(jsonObject(channel.setting)).data ?? {},
  }
}
