// Why a call would go where: every channel that serves the model to the group, with its chance or what keeps it out.
import { z } from 'zod'
import { namedSchemas } from '../contract/named-schemas.ts'
import type { Affinity } from './affinity.ts'
import type { RoutedChannel } from './routed-channel.ts'
import type { ChannelIndex } from './channel-index.ts'
import { CHANNEL_STATUS, jsonObject } from './channel.ts'
import type { Cooldowns } from './cooldown.ts'
import { keysOff } from './keys.ts'
import { shareOf, takes } from './routing.ts'

const ExplainedKey = z.object({
  /** Names the key without telling it; empty for the only key of a channel. */
  fingerprint: z.string(),
  on: z.boolean(),
  /** Why it is off. */
  reason: z.string(),
  /** Epoch seconds until which it is left alone for this model; 0 when it is not. */
  cooldown_until: z.number(),
})

export const ExplainedChannel = z.object({
  id: z.number(),
  name: z.string(),
  status: z.number(),
  /** 1 for the first priority that is tried; 0 for channels that are off. */
  tier: z.number(),
  priority: z.number(),
  weight: z.number(),
  /** Chance to be tried first, from 0 to 1. */
  share: z.number(),
  max_input_tokens: z.number(),
  keys: z.array(ExplainedKey),
  /** Prompts whose beginning is cached there. */
  affinity: z.number(),
  taken: z.boolean(),
  /** It is tried, now or when those before it have failed. */
  serves: z.boolean(),
  why: z.string(),
})
namedSchemas.add(ExplainedChannel, { id: 'ExplainedChannel' })
export type ExplainedChannel = z.infer<typeof ExplainedChannel>

interface Ports {
  index: ChannelIndex
  cooldowns: Cooldowns
  affinity: Affinity
}

/** Best first. `promptTokens` of 0: a prompt that every channel takes. */
export function explainRoute(
  { index, cooldowns, affinity }: Ports,
  group: string,
  model: string,
  promptTokens: number,
): ExplainedChannel[] {
  const priorities = index.tiers(group, model).map(({ priority }) => priority)
  const rows = index.serving(group, model).map((channel) => {
    const off = keysOff(channel.other_info)
    const keys = channel.keys.map(({ fingerprint, on }) => ({
      fingerprint,
      on,
      reason: off[fingerprint]?.reason ?? '',
      cooldown_until: Math.ceil(cooldowns.reopensAt({ channel: channel.id, key: fingerprint, model }) / 1000),
    }))
    const enabled = channel.status === CHANNEL_STATUS.enabled
    const shut = enabled ? shutWords(channel, keys, promptTokens) : offWords(channel)
    const cooling = keys.every(({ on, cooldown_until }) => !on || cooldown_until > 0)
    const obstacle = shut || (cooling ? 'cooling down: tried when no other is left' : '')
    return {
      channel,
      keys,
      obstacle,
      serves: shut === '',
      tier: enabled ? priorities.indexOf(channel.priority) + 1 : 0,
    }
  })
  const free = rows.filter(({ obstacle }) => obstacle === '')
  const first = Math.min(...free.map(({ tier }) => tier))
  const total = free.reduce((sum, row) => sum + (row.tier === first ? shareOf(row.channel) : 0), 0)
  return rows
    .sort((a, b) => (a.tier || Infinity) - (b.tier || Infinity) || a.channel.id - b.channel.id)
    .map(({ channel, keys, obstacle, serves, tier }) => {
      const taken = obstacle === '' && tier === first
      const { id, name, status, priority, weight, max_input_tokens } = channel
      return {
        ...{ id, name, status, tier, priority, weight, max_input_tokens, keys, taken, serves },
        share: taken ? shareOf(channel) / total : 0,
        affinity: affinity.count(id),
        why: obstacle || (taken ? 'tried first' : 'tried when every channel of a higher priority has failed'),
      }
    })
}

type Key = z.infer<typeof ExplainedKey>

/** Why an enabled channel is not tried at all; empty where it is. */
function shutWords(channel: RoutedChannel, keys: readonly Key[], promptTokens: number): string {
  if (!takes(channel, promptTokens)) return `takes prompts of at most ${channel.max_input_tokens} tokens`
  return keys.some(({ on }) => on) ? '' : 'all its keys are off'
}

function offWords({ status, other_info }: RoutedChannel): string {
  const { status_reason } = jsonObject(other_info)
  if (status !== CHANNEL_STATUS.auto_disabled) return 'switched off'
  return typeof status_reason === 'string' ? `switched off by itself: ${status_reason}` : 'switched off by itself'
}
