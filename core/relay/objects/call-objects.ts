// The provider's objects of one call: those that the request names decide its channel, and those that the answer contains
// become rows that are written with its charge.
import { getItemStem, type OwnedObject } from '../../calls/owned-object.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import type { ObjectKind, ProviderObject } from '../../dialects/requests/object-places.ts'
import { fail } from '../../errors.ts'
import type { Settings } from '../../settings/index.ts'
import { findPayingAccount } from '../admission.ts'
import type { ProviderAnswer } from '../answers/answer.ts'
import type { ResumedCall } from '../answers/stored-responses.ts'
import type { Call } from '../call.ts'
import type { ForwardResult } from '../forward-answer.ts'
import type { ModelCandidate } from '../model-candidates.ts'
import type { RouteResult } from '../route.ts'
import type { AdmittedObjects, ObjectOwners } from './object-owners.ts'
import {
  dropUnreceivableObjects,
  findNamedObjects,
  NO_ADMITTED_OBJECTS,
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

// Builds the rows of the provider's objects in an answer, which are written with its charge: one per object, and none
// for items, which belong to their answer.

/** Longer ids, and ids with anything but printable ASCII, are ignored. */
const ID = /^[\x21-\x7e]{1,512}$/
const DAY_MS = 24 * 3_600_000
/** Lifetime of objects whose answers give none; other objects stay until they are deleted. */
const KEPT_MS: Partial<Record<ObjectKind, number>> = {
  response: 30 * DAY_MS,
  thread: 30 * DAY_MS,
  container: 30 * DAY_MS,
  audio: 30 * DAY_MS,
}

/**
 * Returns the rows of an answer; undefined if it contains no new objects.
 * @param foreign names of requested objects that the account does not own: an answer that repeats them grants no access
 * @param now epoch ms
 */
export function buildObjectRows(
  { caller, deferred }: Call,
  { answering }: RouteResult<ProviderAnswer>,
  passed: Pick<ForwardResult, 'objects'> | undefined,
  foreign: ReadonlySet<string>,
  now: number,
): OwnedObject[] | undefined {
  const { objects } = passed ?? {}
  if (!objects || !answering) return undefined
  const { head, taken } = answering.step
  const { user, token } = caller
  const { account_id } = findPayingAccount(caller)
  const { id: channel_id } = taken.channel
  const { fingerprint: key } = taken.key
  const rows: OwnedObject[] = []
  const seen = new Set<string>()
  for (const object of objects) {
    const { kind, id, expires_at } = object
    const name = `${kind}:${id}`
    if (
      kind === 'item' ||
      !isStored(kind, head, deferred !== undefined) ||
      foreign.has(name) ||
      seen.has(name) ||
      !ID.test(id)
    )
      continue
    seen.add(name)
    const lifetime = KEPT_MS[kind]
    rows.push({
      kind,
      id,
      channel_id,
      key,
      account_id,
      user_id: user.id,
      token_id: token?.id ?? 0,
      model: head.model,
      ...(kind === 'response' ? buildItemColumns(id, objects) : NO_ITEMS),
      created_at: now,
      expires_at: expires_at ?? (lifetime === undefined ? null : now + lifetime),
    })
  }
  return rows.length === 0 ? undefined : rows
}

/** Answers that the provider does not store are not objects; nor are those that Weir stores instead. */
const isStored = (kind: ObjectKind, { storesAnswer, threads }: RequestHead, deferred: boolean): boolean =>
  kind === 'response' ? storesAnswer === true && !deferred : kind === 'thread' ? threads === true : true

const NO_ITEMS = { stem: '', items: '' }

function buildItemColumns(answer: string, objects: readonly ProviderObject[]): Pick<OwnedObject, 'stem' | 'items'> {
  const stem = getItemStem(answer)
  const others = new Set<string>()
  for (const { kind, id } of objects)
    if (kind === 'item' && getItemStem(id) !== (stem || undefined) && ID.test(id)) others.add(id)
  return { stem, items: others.size === 0 ? '' : ` ${[...others].join(' ')} ` }
}
