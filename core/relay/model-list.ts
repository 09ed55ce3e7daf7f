// Which models a token's owner sees at the relay's model list.
import type { ChannelIndex } from '../channels/channel-index.ts'
import { callGroup } from '../groups/group.ts'
import { providerOf } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { listOf } from '../tokens/token.ts'
import type { CallCaller } from './call.ts'

export interface ListedModel {
  id: string
  object: 'model'
  /** Epoch seconds; the fixed value that clients of this family know. */
  created: number
  owned_by: string
}

const CREATED = 1626777600

/**
 * The models of the token's limits, or of its group; sorted by name (relay reference, section 14).
 * @throws GatewayError group.disabled, group.retired
 */
export function visibleModels(caller: CallCaller, channels: ChannelIndex, settings: Settings): ListedModel[] {
  const { token, user } = caller
  const group = callGroup(user.group, token?.group ?? '', settings)
  const names = token?.model_limits_enabled ? listOf(token.model_limits).sort() : channels.models([group])
  return names.map((id) => {
    const channel = channels.candidates(group, id)[0]
    return { id, object: 'model', created: CREATED, owned_by: (channel && providerOf(channel.type)?.id) ?? 'custom' }
  })
}
