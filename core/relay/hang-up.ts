// A caller who leaves: the provider is told at once where every token that costs was seen, else its answer is read on to
// the usage that it reports.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import { upstreamModel } from '../channels/mapping.ts'
import type { RequestHead } from '../dialects/head.ts'
import { findModelFamily } from '../dialects/families.ts'
import { toReasoningBudget } from '../dialects/reasoning.ts'
import { reasonsByDefault } from '../dialects/thinkers.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import type { ModelCandidate } from './models.ts'

/** How long an answer is read on for nobody, in ms; 0: its provider is told at once. */
export function getDrainTimeMs(
  call: Call,
  { head, admission }: ModelCandidate,
  channel: RoutedChannel | undefined,
  settings: Settings,
): number {
  // Nobody was asked yet.
  if (!channel) return 0
  const upstream_model = upstreamModel(admission.listed, channel.mapping)
  const rule = channel.settings.hang_up ?? settings['relay.hang_up']
  const readsOn = rule === 'auto' ? costsUnseen(call, head, channel, upstream_model) : rule === 'finish'
  return readsOn ? settings['relay.hang_up_seconds'] * 1000 : 0
}

/** May the answer cost what its caller has not been shown? */
function costsUnseen({ inbound, body }: Call, head: RequestHead, channel: RoutedChannel, model: string): boolean {
  if (!head.stream || inbound.operation !== 'chat') return true
  if (channel.settings.bills_cut_streams === false) return false
  if (reasonsByDefault(model, head.model)) return true
  const text = new TextDecoder().decode(body)
  const { words } = inbound
  return words.speaksOfThinking(text) || words.asksForMedia(text) || words.namesHostedTools(text)
}

/** What an effort that nobody knows is taken to think. Unit: tokens. */
const USUAL_THOUGHT = 8192

/** What a model is known to think beside what it says, where its stream was cut and is billed. Unit: tokens. */
export function estimateHiddenReasoning(
  { inbound, body, place }: Call,
  { model }: RequestHead,
  channel: RoutedChannel | undefined,
  upstream_model: string = model,
): number {
  if (inbound.operation !== 'chat' || channel?.settings.bills_cut_streams === false) return 0
  const thinks = reasonsByDefault(upstream_model, model)
  if (!thinks && !inbound.words.speaksOfThinking(new TextDecoder().decode(body))) return 0
  const { reasoning_effort, reasoning_budget = -1 } = inbound.readRequest(body, place)
  if (reasoning_budget >= 0) return reasoning_budget
  const { effort } = findModelFamily(upstream_model, 'openai-responses', model)
  const said = reasoning_effort ?? (thinks ? (effort ?? 'medium') : 'none')
  return toReasoningBudget(said) ?? USUAL_THOUGHT
}
