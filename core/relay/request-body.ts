// What a provider is sent of a call's words.
import type { RoutedChannel } from '../channels/routed-channel.ts'
import type { ThoughtsWord } from '../dialects/family-row.ts'
import type { WrittenRequest } from '../dialects/model-request.ts'
import { mendedTurns } from '../dialects/mended-turns.ts'
import { patchForModel } from '../dialects/mending.ts'
import { noProof, keepOwnSignature } from '../dialects/proof.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { withinSizes } from '../dialects/sizes.ts'
import { withThoughtsSpliced } from '../dialects/thoughts.ts'
import type { SystemPrompt } from '../dialects/system-prompt.ts'
import { thoughtsAt, type Adaptation, type UpstreamEndpoint, type Provider } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { REASONING_FIELDS, translateRequest, type CallerRequest } from './written-anew.ts'

/** The door of the request, and the name of the model there. */
export interface Target {
  provider: Provider
  door: UpstreamEndpoint
  model: string
}

const NONE: string[] = []
/**
 * The request as the channel wants it said: the caller's bytes, patched, or written anew in the provider's format.
 * @throws GatewayError request.kept_elsewhere, and what the dialects refuse
 */
export function buildRequestBody(
  asked: CallerRequest,
  channel: RoutedChannel,
  { provider, door, model }: Target,
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
  const thoughts = door.dialect.name === openaiChat.name ? thoughtsAt(provider, model, head.model) : 'takes'
  // Within one format the patch says what is implied, and the channel's own words.
  if (door.dialect === asked.dialect) {
    const mends = channel.settings.mend_requests || channel.settings.force_format
    const { body, dropped } = ownWords(asked, model, mends ? thoughts : 'takes')
    if (mends && !fitsSizes({ ...asked, body })) {
      const anew = translateRequest({ door, thoughts }, { ...asked, body }, model, settings, implied, system)
      const change = { model, head, override, limit: door.limit }
      return { ...anew, body: door.dialect.patchRequest(anew.body, change), dropped: [...dropped, ...anew.dropped] }
    }
    const change = { model, head, override, implied, system, limit: door.limit }
    if (!channel.settings.mend_requests) return { body: door.dialect.patchRequest(body, change), dropped }
    const mend = patchForModel(body, door.dialect.name, model, head.model)
    const turns = asked.dialect.operation === 'chat' ? mendedTurns(body, asked.dialect, asked.place) : undefined
    change.override = { ...turns?.override, ...mend.override, ...override }
    const lost = new Set([...dropped, ...mend.lost, ...(turns?.lost ?? [])])
    return { body: door.dialect.patchRequest(body, change), dropped: [...lost] }
  }
  const { body, ...lost } = translateRequest({ door, thoughts }, asked, model, settings, implied, system)
  const change = { model, head, override: defaults ? { ...defaults, ...override } : override }
  return { ...lost, body: door.dialect.patchRequest(body, change) }
}

/** Is everything in it as long and as many as its format takes? */
function fitsSizes({ dialect, body, place }: CallerRequest): boolean {
  if (dialect.operation !== 'chat') return true
  const request = dialect.readRequest(body, place)
  return withinSizes(request, dialect.name).request === request
}

/** The operator's own words to the model. */
function systemOf({
  settings: { system_prompt: text, system_prompt_override },
}: RoutedChannel): SystemPrompt | undefined {
  return text ? { text, always: system_prompt_override === true } : undefined
}

/** The request as it came, but for thoughts and proofs that its provider does not take. */
function ownWords({ dialect, head, body: said }: CallerRequest, model: string, word: ThoughtsWord): WrittenRequest {
  const { body, dropped } = word === 'takes' ? { body: said, dropped: NONE } : withThoughtsSpliced(said, word)
  const proofs = dialect.operation === 'chat' && (head.borrowed || head.forgets) ? dialect.withProofs : undefined
  if (!proofs) return { body, dropped }
  const proven = proofs(body, head.forgets ? noProof : keepOwnSignature(dialect.name), model)
  return {
    ...proven,
    dropped: [...new Set([...dropped, ...(head.forgets ? REASONING_FIELDS : NONE), ...proven.dropped])],
  }
}
