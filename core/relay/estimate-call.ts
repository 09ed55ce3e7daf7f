// Estimates the minimum and maximum cost of a call without calling a provider, with its price and its channels. The
// estimate itself costs nothing, needs no balance, and counts as a request in the limits of token, user and group.
import type { ChannelIndex } from '../channels/channel-index.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { toPriceForm } from '../dialects/requests/price-words.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import { charge } from '../pricing/charge.ts'
import { computeExpectedCharge } from '../pricing/estimate.ts'
import type { Price } from '../pricing/price.ts'
import type { CallLedger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { isAdmin } from '../users/user.ts'
import type { Admission } from './admission.ts'
import type { ResponseChain } from './answers/stored-responses.ts'
import { countCallTokens } from './measure.ts'
import { FallbackChain, type ModelCandidate } from './model-candidates.ts'
import { getMaxUsage, getMaxUsageWithReasoning } from './usage-bounds.ts'
import type { Call } from './call.ts'
import { holdForCount } from './count-hold.ts'
import type { ObjectOwners } from './objects/object-owners.ts'
import { placeObjectCall } from './objects/call-objects.ts'

interface EstimateCallPorts {
  channels: ChannelIndex
  ledger: CallLedger
  owners: Pick<ObjectOwners, 'admit'>
  responseChain: Pick<ResponseChain, 'resume' | 'place'>
  tokenizer?: Tokenizer
  settings(): Settings
}

/** An amount in quota units and in US dollars. */
interface Amount {
  quota: number
  usd: number
}

export interface CallEstimate {
  object: 'estimate'
  /** The name that price, limits and statistics use. */
  model: string
  group: string
  group_ratio: number
  /** Tokens of the prompt as counted by Weir; a provider may count slightly differently. */
  prompt_tokens: number
  /** Cost with an empty answer and the whole prompt read from a cache. */
  least: Amount
  /** Cost of the longest answer; null if tools that run at the provider may add to it. */
  most: Amount | null
  price: Price
  /** Channels in the order in which they are tried. Administrators see their names. */
  channels: { id: number; name?: string; priority: number }[]
}

/**
 * @throws GatewayError any refusal of a call to that model, including its limits, or of a request that cannot be parsed
 */
export type EstimateCall = (call: Call) => Promise<CallEstimate>

export function createCallEstimator(ports: EstimateCallPorts): EstimateCall {
  return async (given) => {
    const settings = ports.settings()
    const resumed = await ports.responseChain.resume(given, given.inbound.readRequestHead(given.body, given.place))
    const { call, head } = resumed
    const first = new FallbackChain(call, head, ports.channels, settings).first()
    const placed = ports.responseChain.place(resumed, first, settings)
    const { turn } = await placeObjectCall(ports.owners, { call, head: first.head }, placed, settings)
    const hold = await holdForCount(ports.ledger, call, turn, settings, { free: true })
    await ports.ledger.release(hold)
    return estimateTurn(call, turn, await countCallTokens(call, turn.head, ports.tokenizer), settings)
  }
}

function estimateTurn(
  call: Call,
  { head, admission }: ModelCandidate,
  tokens: number,
  settings: Settings,
): CallEstimate {
  const { group, group_ratio, price, model, candidates } = admission
  const amount = (quota: number): Amount => ({ quota, usd: quota / settings.QuotaPerUnit })
  const isOpenEnded =
    call.inbound.operation === 'chat' && call.inbound.words.mentionsHostedTools(new TextDecoder().decode(call.body))
  const fewest = { ...head, prompt_estimate: Math.min(tokens, head.prompt_estimate) }
  const longest = { ...head, prompt_estimate: Math.max(tokens, head.prompt_estimate) }
  return {
    object: 'estimate',
    model,
    group,
    group_ratio,
    prompt_tokens: tokens,
    least: amount(getLowestCost(call, fewest, admission, settings)),
    most: isOpenEnded ? null : amount(getHighestCost(call, longest, admission, settings)),
    price,
    channels: candidates.flatMap(({ channels }) =>
      channels.map(({ id, name, priority }) => ({ id, ...(isAdmin(call.caller.user) ? { name } : {}), priority })),
    ),
  }
}

/** Returns quota units. A provider may serve a cheaper tier than the usual one only if the request asks for it. */
function getLowestCost(call: Call, head: RequestHead, admission: Admission, { QuotaPerUnit }: Settings): number {
  const { price, group_ratio } = admission
  const { service_tier: _tier, inference_geo: _geo, ...greatest } = getMaxUsage(call, head, admission)
  const usage: Usage = {
    cache_read: 0,
    cache_write: 0,
    cache_write_1h: 0,
    reasoning: 0,
    ...greatest,
    output: 0,
    audio_out: 0,
    source: 'estimated',
  }
  const tiers = (head.words ?? []).flatMap(({ kind, value }) =>
    kind === 'service' && typeof value === 'string' ? [toPriceForm(value)] : [],
  )
  const usages = [usage, ...tiers.map((service_tier) => ({ ...usage, service_tier }))]
  const withCachedPrompt = (each: Usage): Usage => ({
    ...each,
    input: each.input - countTextTokens(each),
    cache_read: countTextTokens(each),
  })
  return Math.min(
    ...usages
      .flatMap((each) => [each, withCachedPrompt(each)])
      .map((each) => charge(price, group_ratio, each, QuotaPerUnit, call.started_at).quota),
  )
}

/** Returns the input tokens that are neither image nor audio. */
const countTextTokens = ({ input, audio_in = 0, image_in = 0 }: Usage): number =>
  Math.max(0, input - audio_in - image_in)

/** Returns quota units. The prompt may be written to a cache, at most at the price of an hour. */
function getHighestCost(call: Call, head: RequestHead, admission: Admission, { QuotaPerUnit }: Settings): number {
  const { price, group_ratio } = admission
  const usage = getMaxUsageWithReasoning(call, head, admission)
  const written = { ...usage, input: 0 }
  const usages =
    call.inbound.operation === 'chat'
      ? [usage, { ...written, cache_write: usage.input }, { ...written, cache_write_1h: usage.input }]
      : [usage]
  return Math.max(
    ...usages.map((each) => computeExpectedCharge(price, group_ratio, each, QuotaPerUnit, call.started_at)),
  )
}
