// Display of the routing of a model.
import type { WeirClient } from '../../core/contracts.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { describeRouteReason, ROUTE_REASON_TEXTS } from '../../core/channels/route-explanation.ts'
import { EMPTY_WORDS } from '../../core/errors.ts'
import { drawBar } from '../output/progress.ts'
import { words } from '../texts.ts'
import { count, flag, list, number, object, toPlainRow, text, time, word, type OutputView } from '../output/view.ts'
import { STATES, stateTone, toStateWord } from './states.data.ts'

export type RouteExplanation = Awaited<ReturnType<WeirClient['channels']['route']>>
export type RouteChannel = RouteExplanation['channels'][number]

const toState = ({ status }: RouteChannel) => toStateWord(CHANNEL_STATUS, status)

const percent = (share: number) => (share > 0 ? `${(share * 100).toFixed(1)}%` : '')

const identity = {
  id: count<RouteChannel>(words('ID'), 1, ({ id }) => id),
  name: text<RouteChannel>(words('NAME'), 1, ({ name }) => name, {
    flexible: true,
    tone: ({ taken }) => (taken ? 'strong' : 'plain'),
  }),
  tier: count<RouteChannel>(words('TIER'), 3, ({ tier }) => tier || null),
}

const why = text<RouteChannel>(words('WHY'), 1, (row) => row.why, {
  flexible: true,
  shown: (row, { language }) => describeRouteReason(row)[language],
  tone: ({ taken, tier }) => (taken ? 'good' : tier > 0 ? 'plain' : 'bad'),
})

/** For programs: the same in every language. */
const reason = word<RouteChannel>(words('REASON', { context: 'code' }), 0, ROUTE_REASON_TEXTS, (row) => row.reason)

export const routeChannelView: OutputView<RouteChannel> = {
  ...identity,
  status: word(words('STATUS'), 4, STATES, toState, { tone: (row) => stateTone(toState(row)) }),
  priority: count(words('PRIORITY'), 2, ({ priority }) => priority),
  weight: count(words('WEIGHT'), 3, ({ weight }) => weight),
  share: number(words('SHARE'), 1, ({ share }) => share, {
    shown: ({ share }) => percent(share),
    tone: () => 'good',
  }),
  max_input_tokens: count(words('MAX PROMPT'), 5, (row) => row.max_input_tokens || null),
  keys_on: count(words('KEYS ON'), 4, ({ keys }) => keys.filter(({ on }) => on).length, {
    // Empty for a channel with one key.
    shown: ({ keys }) => (keys.length > 1 ? undefined : ''),
  }),
  keys: object(words('KEYS'), ({ keys }) =>
    keys.map((key) => ({ ...key, cooldown_until: toPlainRow(cooling, key, NO_MONEY).until })),
  ),
  cooling_until: time(words('COOLING UNTIL'), 4, ({ keys }) => Math.max(0, ...keys.map((key) => key.cooldown_until))),
  cached_prompts: count(words('CACHED'), 5, ({ affinity }) => affinity || null),
  first: flag(words('TRIED FIRST'), 0, ({ taken }) => taken),
  serves: flag(words('SERVES'), 0, ({ serves }) => serves),
  why,
  reason,
}

const NO_MONEY = { quota_per_unit: 1, display_in_currency: false }
const cooling: OutputView<RouteChannel['keys'][number]> = {
  until: time(words('COOLING UNTIL'), 1, (key) => key.cooldown_until),
}

/** The whole explanation as one object, for programs. */
export const routeView: OutputView<RouteExplanation> = {
  model: text(words('MODEL'), 1, ({ model }) => model),
  group: text(words('GROUP'), 1, ({ group }) => group),
  attempts: count(words('ATTEMPTS'), 1, ({ attempts }) => attempts),
  fallback_models: list(words('FALLBACKS'), 1, ({ fallbacks }) => fallbacks.map(({ model }) => model)),
  fallbacks: object(words('FALLBACKS'), ({ fallbacks }) => fallbacks),
  channels: object(words('CHANNELS'), ({ channels }) =>
    channels.map((row) => toPlainRow(routeChannelView, row, NO_MONEY)),
  ),
}

/** A channel with its number of simulated calls. */
export type SimulatedChannel = RouteChannel & { calls: number }

const BAR = 20

export const simulatedChannelView: OutputView<SimulatedChannel> = {
  ...identity,
  share: number(words('SHARE'), 1, ({ share }) => share, { shown: ({ share }) => percent(share) }),
  calls: count(words('CALLS'), 1, ({ calls }) => calls),
  bar: text(EMPTY_WORDS, 2, () => null, { shown: ({ share }) => drawBar(share, BAR), tone: () => 'good' }),
  why,
  reason,
}

/**
 * Distributes whole calls by the channels' shares. No call is lost: the remainder goes to the channels with the largest
 * fractions.
 */
export function simulateRoute(channels: readonly RouteChannel[], calls: number): SimulatedChannel[] {
  const rows = channels.map((row) => ({ ...row, calls: Math.floor(row.share * calls) }))
  const rest = (row: SimulatedChannel) => row.share * calls - row.calls
  let left = rows.some(({ share }) => share > 0) ? calls - rows.reduce((sum, row) => sum + row.calls, 0) : 0
  for (const row of [...rows].sort((one, other) => rest(other) - rest(one))) {
    if (left <= 0) break
    row.calls += 1
    left -= 1
  }
  return rows
}
