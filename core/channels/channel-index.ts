// Group and model → channels, in memory. Owner of the channel cache: follows every change of a channel.
import type { CallerDialect } from '../dialects/dialect.ts'
import { isTaskFormat } from '../dialects/tasks/task-format.ts'
import { toPlainModelName, listSameModels } from '../models/same-model.ts'
import type { Storage } from '../ports/storage.ts'
import { findProvider } from '../providers/index.ts'
import { findCallEndpoint, findProviderTaskEndpoint } from '../providers/provider.ts'
import type { ChannelWithKey } from './channel.ts'
import { CHANNEL_STATUS, ChannelSetting, parseJsonObjectText, parseNamedTexts, parseNameList } from './channel.ts'
import { buildChannelKeys } from './keys.ts'
import { type RoutedChannel, getUpstreamModelName } from './routed-channel.ts'
import { groupIntoTiers, type ChannelTier } from './routing.ts'

// The model names that channels list, and the names that mean the same model.

export interface ModelNames {
  /** Channels of any status that list exactly this name. */
  of(name: string): readonly RoutedChannel[]
  /** Returns the listed names of the same model, best first. */
  same(model: string): string[]
}

const NO_MODELS: readonly never[] = []

export function createModelNames(channels: Iterable<RoutedChannel>): ModelNames {
  const byName = new Map<string, RoutedChannel[]>()
  const byPlain = new Map<string, string[]>()
  for (const channel of channels) {
    for (const name of channel.model_names) {
      const known = byName.get(name)
      if (known) known.push(channel)
      else {
        byName.set(name, [channel])
        const plain = toPlainModelName(name)
        byPlain.set(plain, [...(byPlain.get(plain) ?? NO_MODELS), name])
      }
    }
  }
  return {
    of: (name) => byName.get(name) ?? NO_MODELS,
    same: (model) => listSameModels(model, byPlain.get(toPlainModelName(model)) ?? NO_MODELS),
  }
}

export type ChannelTiers = readonly ChannelTier<RoutedChannel>[]

export interface ChannelIndex {
  /**
   * Returns the enabled channels that serve the model to the group, by priority; for a format, only those that support
   * it.
   */
  tiers(group: string, model: string, dialect?: CallerDialect): ChannelTiers
  /** The same in one list. */
  candidates(group: string, model: string): readonly RoutedChannel[]
  /** Channels of any status that serve the model to the group. */
  serving(group: string, model: string): RoutedChannel[]
  /** Returns the channels of any status and group that list the model, by this name or another name of it. */
  naming(model: string): readonly RoutedChannel[]
  /** Returns true if the channel can serve the model in this format. */
  answers(channel: RoutedChannel, model: string, dialect: CallerDialect): boolean
  /**
   * Returns the name under which the group's channels list the model: the given one if they list it, else the best of
   * its other names. Enabled channels take precedence; undefined if none lists it.
   */
  listedName(group: string, model: string): string | undefined
  /** Returns the channels of any status. */
  all(): Iterable<RoutedChannel>
  /** Any channel, also a disabled one. */
  find(id: number): RoutedChannel | undefined
  /** Models that enabled channels serve to any of the groups, sorted. */
  models(groups: readonly string[]): string[]
  /** Returns the models that enabled channels serve to any group, sorted. */
  allModels(): string[]
}

const NONE: ChannelTiers = []
const ANY = ''

/** Builds the index and keeps it fresh. */
export async function createChannelIndex(storage: Storage): Promise<ChannelIndex> {
  let byId = new Map<number, RoutedChannel>()
  let shelves = createShelves()
  /** Created on first use: calls that use the listed name never need it. */
  let names: ModelNames | undefined
  let last: Promise<void> = Promise.resolve()

  async function rebuild(): Promise<void> {
    const channels = await storage.channels.all()
    const fresh = createShelves()
    byId = new Map(channels.map((channel) => [channel.id, toRoutedChannel(channel)]))
    for (const channel of byId.values()) fresh.put(channel)
    shelves = fresh
    names = undefined
  }
  async function replace(id: number): Promise<void> {
    const found = await storage.channels.find(id)
    const before = byId.get(id)
    if (before) shelves.take(before)
    byId.delete(id)
    names = undefined
    if (!found) return
    const channel = toRoutedChannel(found)
    byId.set(id, channel)
    shelves.put(channel)
  }
  /** One after the other: an older reading never replaces a newer one, and a failed one stops none. */
  function follow(id: number): Promise<void> {
    const work = last.then(() => (id > 0 ? replace(id) : rebuild()))
    last = work.catch(() => undefined)
    return work
  }
  storage.onChange((change) => (change.topic === 'channels' ? follow(change.id) : undefined))
  await follow(0)

  const getModelNames = () => (names ??= createModelNames(byId.values()))
  const collectModels = (groups: Iterable<string>) => {
    const names = new Set<string>()
    for (const group of groups) for (const model of shelves.models(group)) names.add(model)
    return [...names].sort()
  }
  const serving = (group: string, model: string) =>
    getModelNames()
      .of(model)
      .filter(({ groups }) => groups.includes(group))
  return {
    tiers: (group, model, dialect) => shelves.tiers(group, model, dialect),
    candidates: (group, model) => shelves.tiers(group, model).flatMap(({ channels }) => channels),
    serving,
    naming: (model) => getModelNames().same(model).flatMap(getModelNames().of),
    answers,
    listedName(group, model) {
      const isServed = (name: string) => shelves.tiers(group, name).length > 0
      if (isServed(model)) return model
      const names = getModelNames().same(model)
      const isListed = (name: string) => names.includes(name) && serving(group, name).length > 0
      return names.find(isServed) ?? [model, ...names].find(isListed)
    },
    all: () => byId.values(),
    find: (id) => byId.get(id),
    models: collectModels,
    allModels: () => collectModels(shelves.groups()),
  }
}

/** Tiers by group and model. Every change makes new tiers, so that a call keeps those it began with. */
function createShelves() {
  const byGroup = new Map<string, Map<string, RoutedChannel[]>>()
  /** Tiers by requested format: chat in any format, or one of the other formats. */
  const sorted = new WeakMap<RoutedChannel[], Map<string, ChannelTiers>>()

  function each(channel: RoutedChannel, change: (before: RoutedChannel[]) => RoutedChannel[]): void {
    if (channel.status !== CHANNEL_STATUS.enabled) return
    for (const group of channel.groups) {
      const models = byGroup.get(group) ?? new Map<string, RoutedChannel[]>()
      byGroup.set(group, models)
      for (const model of channel.model_names) {
        const after = change(models.get(model) ?? [])
        if (after.length > 0) models.set(model, after)
        else models.delete(model)
      }
      if (models.size === 0) byGroup.delete(group)
    }
  }
  return {
    put: (channel: RoutedChannel) =>
      each(channel, (before) => {
        // No call has used this list yet, so it may change in place, which thousands of channels need.
        if (before.length === 0 || sorted.has(before)) return [...before, channel]
        before.push(channel)
        return before
      }),
    take: (channel: RoutedChannel) => each(channel, (before) => before.filter(({ id }) => id !== channel.id)),
    tiers(group: string, model: string, dialect?: CallerDialect): ChannelTiers {
      const list = byGroup.get(group)?.get(model)
      if (!list) return NONE
      let known = sorted.get(list)
      if (!known) sorted.set(list, (known = new Map([[ANY, groupIntoTiers(list.sort((a, b) => a.id - b.id))]])))
      const kind = dialect === undefined ? ANY : dialect.operation === 'chat' ? dialect.operation : dialect.name
      let tiers = known.get(kind)
      if (!tiers && dialect)
        known.set(kind, (tiers = groupIntoTiers(list.filter((channel) => answers(channel, model, dialect)))))
      return tiers ?? NONE
    },
    models: (group: string) => byGroup.get(group)?.keys() ?? [],
    groups: () => byGroup.keys(),
  }
}

/**
 * Returns true if the channel's provider has an endpoint for such calls, with one of its keys. In doubt the attempt
 * decides.
 */
function answers({ type, keys, mapping }: RoutedChannel, model: string, dialect: CallerDialect): boolean {
  const provider = findProvider(type)
  if (!provider) return false
  try {
    const sent = getUpstreamModelName(model, mapping)
    if (isTaskFormat(dialect)) return findProviderTaskEndpoint(provider, dialect, sent) !== undefined
    return keys.some(({ channel }) => findCallEndpoint(provider, dialect, sent, channel) !== undefined)
  } catch {
    return true
  }
}

/** Reads a channel's lists and JSON texts. */
export function toRoutedChannel(channel: ChannelWithKey): RoutedChannel {
  const statuses = Object.entries(parseJsonObjectText(channel.status_code_mapping))
    .map(([from, to]) => [from, Number(to)] as const)
    .filter(([, to]) => Number.isInteger(to) && to >= 100 && to <= 599)
  const whole: RoutedChannel = {
    ...channel,
    model_names: parseNameList(channel.models),
    groups: parseNameList(channel.group),
    mapping: parseNamedTexts(channel.model_mapping),
    status_mapping: Object.fromEntries(statuses),
    override: parseJsonObjectText(channel.param_override),
    settings: ChannelSetting.safeParse(parseJsonObjectText(channel.setting)).data ?? {},
    keys: [],
  }
  whole.keys = buildChannelKeys(channel, (key) => (key === channel.key ? whole : Object.freeze({ ...whole, key })))
  return Object.freeze(whole)
}
