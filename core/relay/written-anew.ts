// A request in another format than its caller wrote it in, with all that was lost on the way.
import type { ImpliedWords, Place, WrittenRequest } from '../dialects/model-request.ts'
import type { RequestHead } from '../dialects/head.ts'
import { fitRequestToModel } from '../dialects/families.ts'
import type { ThoughtsWord } from '../dialects/family-row.ts'
import type { AnyDialect } from '../dialects/dialect.ts'
import { refuseKept } from '../dialects/kept.ts'
import { keepOwnSignatures, dropSignatures } from '../dialects/proof.ts'
import { withImplied } from '../dialects/reasoning.ts'
import { withSystemPrompt, type SystemPrompt } from '../dialects/system-prompt.ts'
import { withinSizes } from '../dialects/sizes.ts'
import { withThoughts } from '../dialects/thoughts.ts'
import { inTurnOrder } from '../dialects/turn-order.ts'
import { fail } from '../errors.ts'
import type { UpstreamEndpoint } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'

/** A call as its caller wrote it. */
export interface CallerRequest {
  dialect: AnyDialect
  head: RequestHead
  body: Uint8Array
  place?: Place
  /** Headers that go on where the format stays. */
  headers?: Record<string, string>
  /** Headers that go to every provider. */
  beside?: Record<string, string>
}

/** The format of the written request, and how its provider handles thoughts in earlier turns. */
interface Writing {
  door: Pick<UpstreamEndpoint, 'dialect' | 'takes'>
  thoughts: ThoughtsWord
}

const NONE: readonly string[] = []

/** What is left out where nobody takes the proofs of what was thought. */
export const REASONING_FIELDS: readonly string[] = ['reasoning_content']

/**
 * @param implied what the channel's door implies; `system`: the operator's own words to the model
 * @throws GatewayError request.kept_elsewhere, and what the dialects refuse
 */
export function translateRequest(
  { door: { dialect: to, takes }, thoughts }: Writing,
  { dialect, head, body, place }: CallerRequest,
  model: string,
  settings: Settings,
  implied: ImpliedWords | undefined,
  system: SystemPrompt | undefined,
): WrittenRequest {
  if (dialect.operation !== 'chat' && dialect.as?.dialect === to) return dialect.as.write(body, model)
  if (to.operation !== 'chat' || dialect.operation !== 'chat') return fail('channel.wrong_operation')
  const read = withImplied(withSystemPrompt(dialect.readRequest(body, place), system), implied)
  refuseKept(read, to.name)
  // Clouds with a list of Anthropic's words have none of them.
  const known = { ...read, model, asked: head.model, ...(takes ? { system_first: true } : {}) }
  const proven = head.forgets ? dropSignatures(known) : dialect === to ? known : keepOwnSignatures(known, to.name)
  const { lost = [], ...request } = withThoughts(inTurnOrder(proven, to.name), thoughts)
  const sized = withinSizes(request, to.name)
  const fit = fitRequestToModel(sized.request, to.name)
  const written = to.writeRequest(fit.request, settings['claude.prompt_caching'])
  const unkept = head.repeated?.store === true && head.kept_as === undefined ? ['store'] : NONE
  return {
    body: written.body,
    ...(sized.tool_names ? { tool_names: sized.tool_names } : {}),
    dropped: [
      ...new Set([
        ...lost,
        ...(head.forgets ? REASONING_FIELDS : NONE),
        ...unkept,
        ...sized.lost,
        ...fit.lost,
        ...written.dropped,
      ]),
    ],
  }
}
