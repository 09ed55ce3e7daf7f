// Summaries of conversations belong to an account: the gateway's own are encrypted for the user and account, and those of
// a provider go back to the account that made them.
import type { SignatureOwnerMemory } from '../../channels/affinity.ts'
import { groupIntoTiers } from '../../channels/routing.ts'
import { openaiResponses } from '../../dialects/openai-responses/index.ts'
import { fail } from '../../errors.ts'
import type { EncryptedPlace, Secrets } from '../../ports/secrets.ts'
import { findPayingAccount } from '../admission.ts'
import type { CallCaller } from '../call.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import { createDialectFilter, restrictToChannel } from '../objects/object-owners.ts'

export interface OwnedCompactions {
  encrypt(text: string, caller: CallCaller): string
  /** Returns undefined for a text of another owner, or one that was changed. */
  decrypt(sealed: string, caller: CallCaller): string | undefined
}

export function createOwnedCompactions(secrets: Pick<Secrets, 'encrypt' | 'decrypt'>): OwnedCompactions {
  const getSealedPlace = (caller: CallCaller): EncryptedPlace => [
    'compaction items',
    `${caller.user.id}/${findPayingAccount(caller).account_id}`,
  ]
  return {
    encrypt: (text, caller) => secrets.encrypt(text, getSealedPlace(caller)),
    decrypt(sealed, caller) {
      try {
        return secrets.decrypt(sealed, getSealedPlace(caller))
      } catch {
        return undefined
      }
    },
  }
}

// Chooses the channel of a call whose conversation a provider has summarized and encrypted: only the account that made
// the item can read it, so no other is tried.

/**
 * Restricts the candidate to the one channel and key that made the item. If the owner is unknown, all channels that
 * speak the item's format are tried, and an account that cannot read it refuses.
 * @throws GatewayError compaction.away
 */
export function placeCompactedCall(
  makers: Pick<SignatureOwnerMemory, 'find'>,
  turn: ModelCandidate,
  compaction: string,
): ModelCandidate {
  const { head, admission } = turn
  if (admission.pinned) return turn
  const channels = admission.candidates.flatMap((tier) => tier.channels)
  const maker = makers.find(compaction, admission.candidates)
  if (maker === undefined) {
    const able = channels.filter(createDialectFilter(openaiResponses))
    // If no channel uses the format, the translation refuses the item with an error.
    const candidates = able.length > 0 ? groupIntoTiers(able) : admission.candidates
    return { head: { ...head, proof: compaction }, admission: { ...admission, candidates } }
  }
  if (maker === 'away') return fail('compaction.away')
  for (const channel of channels) {
    const keys = channel.keys.filter(({ on, fingerprint }) => on && fingerprint === maker.key)
    if (channel.id === maker.channel && keys.length > 0)
      return { head, admission: restrictToChannel(admission, { ...channel, keys }) }
  }
  return fail('compaction.away')
}
