// Chooses the channels of a call whose conversation a provider has summed up and encrypted: nobody but the account that made
// the item can read it, so the call goes there or nowhere.
import type { SignatureOwners } from '../../channels/proof-makers.ts'
import { groupIntoTiers } from '../../channels/routing.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { fail } from '../../errors.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import { alone, speaks } from '../objects/object-owners.ts'

/**
 * The turn with the one channel and key that made the item. Where nobody remembers who did, it is asked of those that speak
 * the item's format, and the account that cannot read it says so.
 * @throws GatewayError compaction.away
 */
export function placeCompaction(
  makers: Pick<SignatureOwners, 'find'>,
  turn: ModelCandidate,
  compaction: string,
): ModelCandidate {
  const { head, admission } = turn
  if (admission.pinned) return turn
  const channels = admission.candidates.flatMap((tier) => tier.channels)
  const maker = makers.find(compaction, admission.candidates)
  if (maker === undefined) {
    const able = channels.filter(speaks(openaiResponses))
    // Where no channel speaks it, the translation of the request refuses the item in words.
    const candidates = able.length > 0 ? groupIntoTiers(able) : admission.candidates
    return { head: { ...head, proof: compaction }, admission: { ...admission, candidates } }
  }
  if (maker === 'away') return fail('compaction.away')
  for (const channel of channels) {
    const keys = channel.keys.filter(({ on, fingerprint }) => on && fingerprint === maker.key)
    if (channel.id === maker.channel && keys.length > 0)
      return { head, admission: alone(admission, { ...channel, keys }) }
  }
  return fail('compaction.away')
}
