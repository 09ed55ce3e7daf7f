// Chooses the channel of a call that names objects of a provider, and checks that the account owns them.
import type { ResumedCall } from '../answers/stored-responses.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import { fail } from '../../errors.ts'
import type { Settings } from '../../settings/index.ts'
import {
  findNamedObjects,
  NO_OBJECTS,
  sayableObjects,
  turnAt,
  type AdmittedObjects,
  type ObjectOwners,
} from './object-owners.ts'

export interface PlacedCall extends AdmittedObjects {
  turn: ModelCandidate
}

/**
 * Restricts a call that names objects to the channel and key that has them; other calls stay unchanged.
 * @throws GatewayError object.missing, object.denied, object.apart, object.away
 */
export function placeCall(
  owners: Pick<ObjectOwners, 'admit'>,
  { call, head }: ResumedCall,
  turn: ModelCandidate,
  settings: Settings,
): PlacedCall | Promise<PlacedCall> {
  const named = findNamedObjects(head)
  return named.length === 0 ? { turn, ...NO_OBJECTS } : placeNamed()

  async function placeNamed(): Promise<PlacedCall> {
    const sayable = sayableObjects(named, turn, call.inbound)
    const admitted = await owners.admit(call, sayable, turn.admission.group, settings)
    if (!admitted.at) return { turn, ...admitted }
    const [{ param } = { param: '' }] = sayable
    return { ...admitted, turn: turnAt(turn, admitted.at) ?? fail('object.away', { param }) }
  }
}
