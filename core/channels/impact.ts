// Finds the effect of disabling or deleting channels: the models that no other channel serves, by group.
import { z } from 'zod'
import { fillTemplate, joinList, words, type Words } from '../errors.ts'
import type { ChannelIndex } from './channel-index.ts'
import { CHANNEL_STATUS } from './channel.ts'
import type { RoutedChannel } from './routed-channel.ts'

export const DisableImpact = z.object({
  /** How many of the channels serve calls now. */
  serving: z.number(),
  /** Models that lose their only channel, by the group whose calls of them would fail; sorted. */
  lost: z.array(z.object({ group: z.string(), models: z.array(z.string()) })),
})
z.globalRegistry.add(DisableImpact, { id: 'Consequences' })
export type DisableImpact = z.infer<typeof DisableImpact>

/** Returns the models that calls would lose. A name stays if another channel serves the model under another name. */
export function findLostModels(index: Pick<ChannelIndex, 'find' | 'naming'>, ids: Iterable<number>): DisableImpact {
  const away = new Set(ids)
  const serving = [...away].flatMap((id) => index.find(id) ?? []).filter(serves)
  // Each model once, however many of the channels serve it: all channels may be asked about.
  const groupsOf = new Map<string, Set<string>>()
  for (const { groups, model_names } of serving)
    for (const model of model_names) groupsOf.set(model, new Set([...(groupsOf.get(model) ?? []), ...groups]))
  const lost = new Map<string, string[]>()
  for (const [model, groups] of groupsOf) {
    const staying = index.naming(model).filter((other) => !away.has(other.id) && serves(other))
    const served = new Set(staying.flatMap((other) => other.groups))
    for (const group of groups) {
      if (served.has(group)) continue
      const models = lost.get(group)
      if (models) models.push(model)
      else lost.set(group, [model])
    }
  }
  const sorted = [...lost].sort(([one], [other]) => (one < other ? -1 : 1))
  return { serving: serving.length, lost: sorted.map(([group, models]) => ({ group, models: models.sort() })) }
}

const serves = ({ status, keys }: RoutedChannel) => status === CHANNEL_STATUS.enabled && keys.some(({ on }) => on)

// Describes the effect of disabling or deleting channels, for the confirmation.

/** Maximum number of models listed for each group. The rest is a count. */
const TOLD = 10

const LOSES_ONE = words('{models} model loses its only channel in the group {group}: {names}.')
const LOSES_SEVERAL = words('{models} models lose their only channel in the group {group}: {names}.')

/** Returns a sentence for each group whose calls would fail; empty if there is none. */
export const describeImpact = ({ lost }: Pick<DisableImpact, 'lost'>): Words[] =>
  lost.map(({ group, models }) => {
    const named = models.slice(0, TOLD)
    const more = models.length - named.length
    const names = joinList(named)
    return fillTemplate(models.length === 1 ? LOSES_ONE : LOSES_SEVERAL, {
      models: models.length,
      group,
      names: more > 0 ? fillTemplate(words('{names} and {more} more'), { names, more }) : names,
    })
  })
