// Explains the routing of a call: lists every channel that serves the model to the group, with its probability or the
// reason why it is skipped.
import { z } from 'zod'
import { fillTemplate, words, type Words } from '../errors.ts'
import type { ChannelAffinity } from './affinity.ts'
import type { ChannelIndex } from './channel-index.ts'
import { CHANNEL_STATUS, parseJsonObjectText } from './channel.ts'
import type { CircuitBreakers } from './circuit-breaker.ts'
import { parseDisabledKeys } from './keys.ts'
import type { RoutedChannel } from './routed-channel.ts'
import { acceptsPromptSize, getWeightShare, groupIntoTiers } from './routing.ts'

// Why a channel is tried, or not, for a call: each reason once, in both languages.

export const ROUTE_REASON_TEXTS = {
  first: words('tried first'),
  later: words('tried when every channel of a higher priority has failed'),
  cooling: words('cooling down: tried when no other is left'),
  prompt_too_long: words('accepts prompts of at most {tokens} tokens'),
  keys_off: words('all its keys are off'),
  left_out: words('left out here'),
  off: words('switched off'),
  off_by_itself: words('disabled automatically'),
  off_by_cause: words('disabled automatically: {cause}'),
} as const
export type RouteReason = keyof typeof ROUTE_REASON_TEXTS
export const ROUTE_REASON_CODES = Object.keys(ROUTE_REASON_TEXTS) as [RouteReason, ...RouteReason[]]

interface Explained {
  reason: RouteReason
  max_input_tokens: number
  /** The reason code for disabling it; empty if none was recorded. */
  cause: string
}

export const describeRouteReason = ({ reason, max_input_tokens: tokens, cause }: Explained): Words =>
  fillTemplate(ROUTE_REASON_TEXTS[reason], { tokens, cause })

const ExplainedKey = z.object({
  /** Fingerprint of the key, which does not reveal it; empty for the only key of a channel. */
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
  /** Chance to be tried first of its tier, once that is reached. */
  tier_share: z.number(),
  max_input_tokens: z.number(),
  keys: z.array(ExplainedKey),
  /** Number of prompts that are cached there. */
  affinity: z.number(),
  taken: z.boolean(),
  /** It is tried, now or when those before it have failed. */
  serves: z.boolean(),
  reason: z.enum(ROUTE_REASON_CODES),
  /** The reason code for disabling it; empty if none was recorded. */
  cause: z.string(),
  /** The reason in English. */
  why: z.string(),
})
z.globalRegistry.add(ExplainedChannel, { id: 'ExplainedChannel' })
export type ExplainedChannel = z.infer<typeof ExplainedChannel>

interface RouteExplanationPorts {
  index: ChannelIndex
  cooldowns: CircuitBreakers
  affinity: ChannelAffinity
}

interface RouteQuestion {
  group: string
  model: string
  /** 0 for a prompt that every channel takes. */
  promptTokens: number
  /** Channels that are taken for off. */
  without: ReadonlySet<number>
}

/** Best first. */
export function explainRoute(
  { index, cooldowns, affinity }: RouteExplanationPorts,
  { group, model, promptTokens, without }: RouteQuestion,
): ExplainedChannel[] {
  const serving = index.serving(group, model)
  const isOn = ({ id, status }: RoutedChannel) => status === CHANNEL_STATUS.enabled && !without.has(id)
  const priorities = groupIntoTiers(serving.filter(isOn)).map(({ priority }) => priority)
  const rows = serving.map((channel) => {
    const off = parseDisabledKeys(channel.other_info)
    const keys = channel.keys.map(({ fingerprint, on }) => ({
      fingerprint,
      on,
      reason: off[fingerprint]?.reason ?? '',
      cooldown_until: Math.ceil(cooldowns.reopensAt({ channel: channel.id, key: fingerprint, model }) / 1000),
    }))
    const enabled = isOn(channel)
    const cause = enabled ? '' : offCause(channel)
    const shut = enabled ? shutReason(channel, keys, promptTokens) : offReason(channel, cause, without)
    const cooling = keys.every(({ on, cooldown_until }) => !on || cooldown_until > 0)
    const obstacle = shut ?? (cooling ? ('cooling' as const) : undefined)
    return {
      channel,
      keys,
      obstacle,
      cause,
      serves: shut === undefined,
      tier: enabled ? priorities.indexOf(channel.priority) + 1 : 0,
    }
  })
  const free = rows.filter(({ obstacle }) => obstacle === undefined)
  const first = Math.min(...free.map(({ tier }) => tier))
  const totals = new Map<number, number>()
  for (const { tier, channel } of free) totals.set(tier, (totals.get(tier) ?? 0) + getWeightShare(channel))
  return rows
    .sort((a, b) => (a.tier || Infinity) - (b.tier || Infinity) || a.channel.id - b.channel.id)
    .map(({ channel, keys, obstacle, cause, serves, tier }) => {
      const taken = obstacle === undefined && tier === first
      const reason = obstacle ?? (taken ? 'first' : 'later')
      const tier_share = obstacle === undefined ? getWeightShare(channel) / (totals.get(tier) ?? 1) : 0
      const { id, name, status, priority, weight, max_input_tokens } = channel
      return {
        id,
        name,
        status,
        tier,
        priority,
        weight,
        max_input_tokens,
        keys,
        taken,
        serves,
        share: taken ? tier_share : 0,
        tier_share,
        affinity: affinity.count(id),
        reason,
        cause,
        why: describeRouteReason({ reason, max_input_tokens, cause }).en,
      }
    })
}

type ExplainedRouteKey = z.infer<typeof ExplainedKey>

/** Why an enabled channel is not tried at all. */
function shutReason(
  channel: RoutedChannel,
  keys: readonly ExplainedRouteKey[],
  promptTokens: number,
): RouteReason | undefined {
  if (!acceptsPromptSize(channel, promptTokens)) return 'prompt_too_long'
  return keys.some(({ on }) => on) ? undefined : 'keys_off'
}

function offReason({ id, status }: RoutedChannel, cause: string, without: ReadonlySet<number>): RouteReason {
  if (without.has(id)) return 'left_out'
  if (status !== CHANNEL_STATUS.auto_disabled) return 'off'
  return cause === '' ? 'off_by_itself' : 'off_by_cause'
}

function offCause({ status, other_info }: RoutedChannel): string {
  const { status_reason } = parseJsonObjectText(other_info)
  return status === CHANNEL_STATUS.auto_disabled && typeof status_reason === 'string' ? status_reason : ''
}
