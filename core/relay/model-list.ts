// Which models a token's owner sees at the relay's model list, and what is known of each.
import type { ChannelIndex } from '../channels/channel-index.ts'
import { upstreamModel } from '../channels/mapping.ts'
import type { Operation } from '../models/operation.ts'
import { callGroup } from '../groups/group.ts'
import { factsOf, kindOf, releasedOf } from '../models/model-facts.ts'
import { sameModels } from '../models/same-model.ts'
import { endedOn } from '../providers/ended.ts'
import { findProvider } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { parseList } from '../tokens/token.ts'
import type { CallCaller } from './call.ts'

export interface ListedModel {
  id: string
  owned_by: string
  /** What is asked of it. */
  kind: Operation
  /** The day of its release, as `2025-11-24`; empty where it is not known. */
  released: string
  /** Most of prompt and answer together, and of one answer; missing where they are not known. Unit: tokens. */
  context?: number
  output?: number
  /** The day on which its vendor ended it, as `2026-09-24`; missing where it has not. */
  ended?: string
}

/**
 * The models of the token's limits, or of its group; sorted by name (docs/relay.md, 14).
 * @throws GatewayError group.disabled, group.retired
 */
export function visibleModels(caller: CallCaller, channels: ChannelIndex, settings: Settings): ListedModel[] {
  const { token, user } = caller
  const group = callGroup(user.group, token?.group ?? '', settings)
  const names = token?.model_limits_enabled ? parseList(token.model_limits).sort() : channels.models([group])
  const facts = settings['models.facts']
  return names.map((id) => {
    const channel = channels.candidates(group, id)[0]
    const { context = 0, output = 0 } = factsOf(id, facts) ?? {}
    const ended = channel && endedOn(channel.type, upstreamModel(id, channel.mapping))
    return {
      id,
      owned_by: (channel && findProvider(channel.type)?.id) ?? 'custom',
      kind: kindOf(id, facts),
      released: releasedOf(id),
      ...(context > 0 ? { context } : {}),
      ...(output > 0 ? { output } : {}),
      ...(ended ? { ended } : {}),
    }
  })
}

/** The one of the name, or of another name of the same model. */
export function findModel(id: string, models: readonly ListedModel[]): ListedModel | undefined {
  const names = models.map((model) => model.id)
  const found = names.includes(id) ? id : sameModels(id, names)[0]
  return models.find((model) => model.id === found)
}
