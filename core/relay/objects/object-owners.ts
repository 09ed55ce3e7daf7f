// Access to a provider's own objects, as files, conversations and containers: allowed if the paying account got them
// through this gateway, or root opened them for the call's group. A call that names one goes to its channel and key.
import { getItemStem, type OwnedObject, type OwnedObjectStore } from '../../calls/owned-object.ts'
import type { RoutedChannel } from '../../channels/routed-channel.ts'
import { groupIntoTiers } from '../../channels/routing.ts'
import type { CallerDialect } from '../../dialects/dialect.ts'
import { findItemAnswer } from '../../dialects/openai-responses/stored-answer.ts'
import type { RequestHead } from '../../dialects/requests/head.ts'
import { MAX_REQUEST_OBJECTS, type ObjectKind, type ProviderObject } from '../../dialects/requests/object-places.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { findProvider } from '../../providers/index.ts'
import type { Settings } from '../../settings/index.ts'
import { type Admission, findPayingAccount } from '../admission.ts'
import type { CallCaller } from '../call.ts'
import type { ModelCandidate } from '../model-candidates.ts'

// Reads from the settings which provider objects root has opened, for a group or for all groups.

type Allowance = Pick<Settings, 'objects.allowed' | 'objects.one_tenant'>

/** Returns true if calls of this group may name the object, independent of its owner. */
export function isOpenObject(
  { kind, id }: Pick<ProviderObject, 'kind' | 'id'>,
  group: string,
  { 'objects.allowed': allowed, 'objects.one_tenant': open }: Allowance,
): boolean {
  if (open) return true
  const name = `${kind}:${id}`
  const getEntries = (named: string) => (Object.hasOwn(allowed, named) ? (allowed[named] ?? []) : [])
  return [...getEntries(group), ...getEntries('*')].some((entry) =>
    entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : entry === name,
  )
}

/** The place of an object: a channel, and the fingerprint of the channel's key. */
export type ObjectPlace = Pick<OwnedObject, 'channel_id' | 'key'>

/** The objects that an admitted call names. */
export interface AdmittedObjects {
  /** The one channel and key that has them, if known. */
  at?: ObjectPlace
  /** Objects that the account did not get itself: an answer that repeats them grants no access. */
  foreign: ReadonlySet<string>
}

export interface ObjectOwners {
  /**
   * Checks that the call may name these objects. Reads storage only if it names any.
   * @throws GatewayError object.missing, object.denied, object.apart
   */
  admit(
    call: ObjectCall,
    objects: readonly ProviderObject[],
    group: string,
    settings: Settings,
  ): Promise<AdmittedObjects>
  /** Finds an object by its id for any account, including those of recent charges. */
  find(kind: ObjectKind, id: string): Promise<OwnedObject | undefined>
}

/** The caller and the format of a call. */
interface ObjectCall {
  inbound: Pick<CallerDialect, 'objects'>
  caller: CallCaller
}

interface ObjectOwnersPorts {
  storage: { ownedObjects: OwnedObjectStore }
  clock: Clock
  /** Resolves when storage has all earlier charges; undefined if it already has. */
  applied(): Promise<void> | undefined
}

/** The result for a call that names no objects. */
export const NO_ADMITTED_OBJECTS: AdmittedObjects = { foreign: new Set() }

const nameOfObject = ({ kind, id }: Pick<ProviderObject, 'kind' | 'id'>): string => `${kind}:${id}`

/** Fine-tuned models, whose names are object ids. */
const TUNED = /^(ft:|tunedModels\/)/

/**
 * Returns the objects that a call names, without the answer that it continues and the items that Weir stores. Those are
 * looked up elsewhere.
 */
export function findNamedObjects({
  objects = [],
  model,
}: Pick<RequestHead, 'objects' | 'model'>): readonly ProviderObject[] {
  const tuned = TUNED.test(model) ? [{ kind: 'model' as const, id: model, param: 'model' }] : NONE
  if (objects.length === 0) return tuned
  return [...tuned, ...objects].filter(
    ({ kind, id }) => kind !== 'response' && !(kind === 'item' && findItemAnswer(id) !== undefined),
  )
}

const NONE: readonly ProviderObject[] = []

export function createObjectOwners({ storage, clock, applied }: ObjectOwnersPorts): ObjectOwners {
  const { ownedObjects: store } = storage

  async function lookUp(objects: readonly ProviderObject[], account: number): Promise<Map<string, OwnedObject>> {
    const now = clock.now()
    const rows = await store.find(
      objects.filter(({ kind }) => kind !== 'item'),
      now,
    )
    const known = new Map(rows.map((row) => [nameOfObject(row), row]))
    for (const item of objects) {
      if (item.kind !== 'item') continue
      const answer = await store.findOfItem(account, { id: item.id, stem: getItemStem(item.id) }, now)
      if (answer) known.set(nameOfObject(item), answer)
    }
    return known
  }

  /** Finds the rows of the objects. The row of a recent answer may still be in the journal. */
  async function findRows(objects: readonly ProviderObject[], account: number): Promise<Map<string, OwnedObject>> {
    const known = await lookUp(objects, account)
    const waiting = known.size < objects.length ? applied() : undefined
    if (!waiting) return known
    await waiting
    return lookUp(objects, account)
  }

  return {
    async admit({ inbound, caller }, objects, group, settings) {
      if (objects.length > MAX_REQUEST_OBJECTS)
        fail('request.invalid', { reason: `more than ${MAX_REQUEST_OBJECTS} objects` })
      const { account_id } = findPayingAccount(caller)
      const known = await findRows(objects, account_id)
      const foreign = new Set<string>()
      let at: OwnedObject | undefined
      for (const object of objects) {
        const row = known.get(nameOfObject(object))
        if (row?.account_id !== account_id) {
          // The error is the same whether or not the object exists.
          if (!isOpenObject(object, group, settings)) refuse(object, inbound)
          foreign.add(nameOfObject(object))
        }
        if (!row) continue
        if (at && (at.channel_id !== row.channel_id || at.key !== row.key))
          fail('object.apart', { param: object.param })
        at = row
      }
      return { at, foreign }
    },
    async find(kind, id) {
      const one = [{ kind, id, param: '' }]
      return (await findRows(one, 0)).get(nameOfObject({ kind, id }))
    },
  }
}

function refuse({ kind, id, param }: ProviderObject, { objects }: ObjectCall['inbound']): never {
  if (kind === 'model') fail('model.missing', { model: id })
  if (kind === 'item') fail('response.item_missing', { id })
  return fail(objects.unknown, { kind: kind.replaceAll('_', ' '), id, param })
}

/** Object kinds that exist in one format only: a translation never contains them. */
const OF_ONE_FORMAT: ReadonlySet<ObjectKind> = new Set<ObjectKind>([
  'conversation',
  'thread',
  'vector_store',
  'container',
  'cached_content',
  'prompt',
  'skill',
  'item',
])

/** Leaves out objects that no channel of the candidate can receive: the translation refuses the request for them. */
export function dropUnreceivableObjects(
  objects: readonly ProviderObject[],
  turn: ModelCandidate,
  dialect: CallerDialect,
): readonly ProviderObject[] {
  if (objects.every(({ kind }) => !OF_ONE_FORMAT.has(kind))) return objects
  const able = turn.admission.candidates.some(({ channels }) => channels.some(createDialectFilter(dialect)))
  return able ? objects : objects.filter(({ kind }) => !OF_ONE_FORMAT.has(kind))
}

/** Restricts the candidate to the one channel and key of an object; undefined if that channel is unavailable. */
export function restrictToObjectPlace(
  { head, admission }: ModelCandidate,
  { channel_id, key }: ObjectPlace,
): ModelCandidate | undefined {
  for (const { channels } of admission.candidates) {
    const channel = channels.find(({ id }) => id === channel_id)
    const only = channel?.keys.find(({ on, fingerprint }) => on && fingerprint === key)
    if (channel && only) return { head, admission: restrictToChannel(admission, { ...channel, keys: [only] }) }
  }
  return undefined
}

/** Restricts an admission to one channel, without fallbacks. */
export const restrictToChannel = (admission: Admission, channel: RoutedChannel): Admission => ({
  ...admission,
  candidates: groupIntoTiers([channel]),
  pinned: true,
})

export const createDialectFilter =
  (dialect: CallerDialect) =>
  ({ type }: RoutedChannel): boolean =>
    findProvider(type)?.chat?.some((endpoint) => endpoint.dialect === dialect) ?? false
