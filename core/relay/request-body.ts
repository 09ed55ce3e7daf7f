// What a provider is sent of a call's words.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { WrittenRequest } from '../dialects/model-request.ts'
import { mendedTurns } from '../dialects/mended-turns.ts'
import { mended } from '../dialects/mending.ts'
import { noProof, ownProof } from '../dialects/proof.ts'
import type { SystemPrompt } from '../dialects/system-prompt.ts'
import type { Adaptation, Door } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { FORGOTTEN, writtenAnew, type Asked } from './written-anew.ts'

const NONE: string[] = []
/**
 * The request as the channel wants it said: the caller's bytes, patched, or written anew in the provider's format.
 * @throws GatewayError request.kept_elsewhere, and what the dialects refuse
 */
export function requestBody(
  asked: Asked,
  channel: RoutedChannel,
  door: Door,
  model: string,
  { implied, defaults }: Adaptation,
  refused: readonly string[],
  settings: Settings,
): WrittenRequest {
  const { head } = asked
  const system = systemOf(channel)
  let { override } = channel
  // Asking for usage is undone where the provider refuses to be asked.
  if (door.stream_options === false) override = { ...override, stream_options: null }
  if (refused.length > 0) override = { ...override, ...Object.fromEntries(refused.map((key) => [key, null])) }
  // Within one format the patch says what is implied, and the channel's own words.
  if (door.dialect === asked.dialect) {
    const { body, dropped } = ownWords(asked, model)
    const change = { model, head, override, implied, system, limit: door.limit }
    if (!channel.settings.mend_requests) return { body: door.dialect.patchRequest(body, change), dropped }
    const mend = mended(body, door.dialect.name, model, head.model)
    const turns = asked.dialect.operation === 'chat' ? mendedTurns(body, asked.dialect, asked.place) : undefined
    change.override = { ...turns?.override, ...mend.override, ...override }
    const lost = new Set([...dropped, ...mend.lost, ...(turns?.lost ?? [])])
    return { body: door.dialect.patchRequest(body, change), dropped: [...lost] }
  }
  const { body, dropped } = writtenAnew(door.dialect, asked, model, settings, implied, system)
  const change = { model, head, override: defaults ? { ...defaults, ...override } : override }
  return { body: door.dialect.patchRequest(body, change), dropped }
}

/** The operator's own words to the model. */
function systemOf({
  settings: { system_prompt: text, system_prompt_override },
}: RoutedChannel): SystemPrompt | undefined {
  return text ? { text, always: system_prompt_override === true } : undefined
}

/** The request as it came, but for proofs that its provider does not take. */
function ownWords({ dialect, head, body }: Asked, model: string): WrittenRequest {
  const proofs = dialect.operation === 'chat' && (head.borrowed || head.forgets) ? dialect.withProofs : undefined
  if (!proofs) return { body, dropped: NONE }
  const proven = proofs(body, head.forgets ? noProof : ownProof(dialect.name), model)
  return head.forgets ? { ...proven, dropped: [...FORGOTTEN, ...proven.dropped] } : proven
}
