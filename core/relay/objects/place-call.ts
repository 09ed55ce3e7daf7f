// Chooses the channel of a call that names objects of a provider, and checks that the account owns them.
import type { ResumedCall } from '../answers/stored-responses.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import { fail } from '../../errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { AdmittedObjects, ObjectOwners } from './object-owners.ts'
import {
  findNamedObjects,
  NO_ADMITTED_OBJECTS,
  dropUnreceivableObjects,
  restrictToObjectPlace,
} from './object-owners.ts'

export interface CallWithObjects extends AdmittedObjects {
  turn: ModelCandidate
}

/**
 * Restricts a call that names objects to the channel and key that has them; other calls stay unchanged.
 * @throws GatewayError object.missing, object.denied, object.apart, object.away
 */
export function placeObjectCall(
  owners: Pick<ObjectOwners, 'admit'>,
  { call, head }: ResumedCall,
  turn: ModelCandidate,
  settings: Settings,
): CallWithObjects | Promise<CallWithObjects> {
  const named = findNamedObjects(head)
  return named.length === 0 ? { turn, ...NO_ADMITTED_OBJECTS } : placeNamed()

  async function placeNamed(): Promise<CallWithObjects> {
    const sayable = dropUnreceivableObjects(named, turn, call.inbound)
    const admitted = await owners.admit(call, sayable, turn.admission.group, settings)
    if (!admitted.at) return { turn, ...admitted }
    const [{ param } = { param: '' }] = sayable
    return { ...admitted, turn: restrictToObjectPlace(turn, admitted.at) ?? fail('object.away', { param }) }
  }
}
