// Chooses the next channel of a call: highest priority first, by weight within one priority.

/** Added to every weight, so that a channel of weight 0 still gets calls (docs/relay.md, 5). */
const WEIGHT_FLOOR = 10
/** Number of draws that may hit an unsuitable channel before the suitable ones are filtered. */
const DRAWS = 3

export interface WeightedChannel {
  id: number
  priority: number
  weight: number
  max_input_tokens: number
}

/** The channels of one priority, with the sum of shares up to and including each: a draw is a binary search. */
export interface ChannelTier<C> {
  priority: number
  channels: readonly C[]
  sums: readonly number[]
}

export const getWeightShare = ({ weight }: Pick<WeightedChannel, 'weight'>): number => weight + WEIGHT_FLOOR

/** Takes prompts of this many tokens? A limit of 0 takes all. */
export const acceptsPromptSize = (
  { max_input_tokens }: Pick<WeightedChannel, 'max_input_tokens'>,
  promptTokens: number,
): boolean => max_input_tokens <= 0 || max_input_tokens >= promptTokens

/** Sorts channels into tiers, highest priority first; within a tier the order stays. */
export function groupIntoTiers<C extends WeightedChannel>(channels: readonly C[]): ChannelTier<C>[] {
  const byPriority = new Map<number, C[]>()
  for (const channel of channels) {
    const tier = byPriority.get(channel.priority)
    if (tier) tier.push(channel)
    else byPriority.set(channel.priority, [channel])
  }
  return [...byPriority]
    .sort(([a], [b]) => b - a)
    .map(([priority, members]) => {
      let sum = 0
      return { priority, channels: members, sums: members.map((each) => (sum += getWeightShare(each))) }
    })
}

/**
 * Draws a suitable channel of a tier by weight, or undefined when none is suitable. `draw` gives a number of at least
 * 0 and below 1; a lone channel is taken without one. Costs the same however large the tier is, as long as most of it
 * is suitable.
 */
export function pickWeighted<C extends WeightedChannel>(
  { channels, sums }: ChannelTier<C>,
  suits: (channel: C) => boolean,
  draw: () => number,
): C | undefined {
  const only = channels[0]
  if (channels.length === 1) return only && suits(only) ? only : undefined
  const total = sums[sums.length - 1] ?? 0
  let chance = draw()
  for (let turn = 0; turn < DRAWS; turn++) {
    const mark = chance * total
    const at = firstAbove(sums, mark)
    const drawn = channels[at] ?? channels[channels.length - 1]
    if (drawn && suits(drawn)) return drawn
    // The position within the share of the unsuitable channel is still uniformly random.
    const below = at === 0 ? 0 : (sums[at - 1] ?? 0)
    chance = Math.min(1 - Number.EPSILON, (mark - below) / ((sums[at] ?? total) - below))
  }
  return countOut(channels.filter(suits), chance)
}

/** Index of the first sum above the mark. */
function firstAbove(sums: readonly number[], mark: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sums[middle] ?? 0) > mark) high = middle
    else low = middle + 1
  }
  return low
}

function countOut<C extends WeightedChannel>(channels: readonly C[], chance: number): C | undefined {
  let mark = chance * channels.reduce((sum, each) => sum + getWeightShare(each), 0)
  for (const each of channels) {
    mark -= getWeightShare(each)
    if (mark < 0) return each
  }
  return channels[channels.length - 1]
}
