// The whole configuration as a file: out, planned, applied, and what it owns.
import type { Feature } from '../feature.ts'
import { stateContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import type { HandlerInput } from '../contract/endpoint.ts'
import { findFreeSlug } from '../contract/slug.ts'
import { fail } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { SettingsSnapshot } from '../settings/snapshot.ts'
import type { RollUp } from '../usage/roll-up.ts'
import { findBillMoves, applyOverlayEntries, findModelMoves } from './bills.ts'
import { carryOutChanges, readCurrentState, type StateOutcome } from './carry-out.ts'
import { STATE_FILE_VERSION } from './document.ts'
import { findDriftedFields } from './drift.ts'
import { escapeReferenceTexts } from './references.ts'
import type { EntryTextPath, StateSection, TargetedChange } from './section.ts'
import { maskEntrySecrets, replaceEntryTexts } from './section.ts'
import { stateSections } from './sections/index.ts'
import { toEntryFields, listChangedEntries, pickChangedFields, type StateEntry } from './state.ts'

interface StatePorts {
  storage: Storage
  snapshot: SettingsSnapshot
  secrets: Secrets
  clock: Clock
  random: Random
  rollUp: RollUp
  ledger: Ledger
}

/** The number of people whose bills are listed one by one. */
const MOST_PEOPLE = 100

type StateOrder = HandlerInput<typeof stateContract.plan>

function createStateHandlers(ports: StatePorts): ContractHandlers<typeof stateContract> {
  const { storage, snapshot, secrets } = ports
  const drift = findDriftedFields(secrets)

  async function carryOut(order: StateOrder & { digest?: string | undefined }, caller: Caller, isTrial: boolean) {
    return describeOutcome(await carryOutChanges(ports, { ...order, caller, isTrial }), order.source)
  }

  async function describeOutcome(outcome: StateOutcome, source: string) {
    const { digest, changes, unlisted: shared, released, before, after, present, managed } = outcome
    const channels = present.get('channels')!.entries
    const moved = changes.filter(({ section }) => section === 'channels')
    const bills = await findBillMoves(ports, before, after)
    const owned = new Map(managed.map((row) => [`${row.section} ${row.key}`, row]))
    const rows = changes.map((change) => {
      const row = owned.get(`${change.section} ${change.key}`)
      return {
        ...shownChange(change),
        owner: row?.source ?? '',
        drift: row && row.source === source ? drift(row, present.get(row.section)).length > 0 : false,
      }
    })
    return {
      digest,
      changes: rows,
      kept: shared,
      released: released.map(({ section, key }) => ({ section, key })),
      models: findModelMoves(channels, applyOverlayEntries(channels, moved)),
      bills: {
        people: bills.length,
        charged: bills.reduce((sum, { charged }) => sum + charged, 0),
        would_charge: bills.reduce((sum, { would_charge }) => sum + would_charge, 0),
        rows: bills.slice(0, MOST_PEOPLE),
      },
    }
  }

  return {
    async export({ seal_to, people }, { caller }) {
      const requested = stateSections.filter(({ onRequest }) => people || onRequest !== true)
      const present = await readCurrentState(storage, snapshot.stored(), (section) => requested.includes(section))
      const isSealed = seal_to !== ''
      if (isSealed) await secrets.sealFor(seal_to, '').catch((cause: unknown) => fail('state.recipient', {}, { cause }))
      const names = new Set<string>()
      const createReference = (place: readonly string[]) => {
        const name = findFreeSlug(variable(['weir', ...place]), (one) => names.has(one))
        names.add(name)
        return `\${ENV:${name.toUpperCase().replaceAll('-', '_')}}`
      }
      const document: Record<string, StateEntry> = { weir: STATE_FILE_VERSION }
      for (const section of requested) {
        const entries: Record<string, StateEntry> = {}
        for (const [key, entry] of listChangedEntries(present.get(section.name)!)) {
          const ownFields = entry && pickChangedFields(withoutRequested(section, entry, people), section.defaults)
          const paths = section.secrets?.(key, ownFields) ?? []
          const texts = await referred(escapeReferenceTexts(ownFields), paths, (path, secret) =>
            isSealed
              ? secrets.sealFor(seal_to, secret).then((sealed) => `\${age:${sealed}}`)
              : createReference([section.name, key, ...path]),
          )
          entries[key] = texts
        }
        document[section.name] = entries
      }
      const row = {
        ...toAuditAuthor(caller),
        created_at: seconds(ports.clock),
        action: 'state.export',
        target: seal_to,
      }
      if (isSealed) await storage.transaction(({ audit }) => audit.insert([{ ...row, before: '', after: '' }]))
      return { document, comments: Object.fromEntries(stateSections.map(({ name, comment }) => [name, comment])) }
    },
    plan: (order, { caller }) => carryOut(order, caller, true),
    apply: (order, { caller }) => carryOut(order, caller, false),
    async managed() {
      const rows = await storage.managed.all()
      const owned = new Set(rows.map(({ section }) => section))
      const present = await readCurrentState(storage, snapshot.stored(), ({ name }) => owned.has(name))
      return rows.map(({ fields, ...row }) => ({
        ...row,
        fields: Object.keys(JSON.parse(fields) as object),
        drifted: drift({ ...row, fields }, present.get(row.section)),
      }))
    },
  }
}

/** An entry with something else for each secret, which may take its time. */
async function referred(
  entry: StateEntry,
  paths: readonly EntryTextPath[],
  textOf: (path: EntryTextPath, secret: string) => string | Promise<string>,
): Promise<StateEntry> {
  const texts = new Map<EntryTextPath, string | Promise<string>>()
  replaceEntryTexts(entry, paths, (path, secret) => {
    texts.set(path, textOf(path, secret))
    return ''
  })
  const ready = new Map(await Promise.all([...texts].map(async ([path, text]) => [path, await text] as const)))
  return replaceEntryTexts(entry, paths, (path) => ready.get(path) ?? '')
}

const variable = (place: readonly string[]): string =>
  place
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')

function withoutRequested({ onRequest }: StateSection, entry: StateEntry, people: boolean): StateEntry {
  if (people || !Array.isArray(onRequest)) return entry
  const shared = Object.entries(toEntryFields(entry)).filter(([name]) => !onRequest.includes(name))
  return Object.fromEntries(shared)
}

/** Returns a change without secrets, for every user who may see plans. */
function shownChange({ section: name, key, action, fields }: TargetedChange) {
  const section = stateSections.find((one) => one.name === name)!
  const shown = (side: 'from' | 'to', field: string, value: StateEntry): StateEntry => {
    const whole = field === '' ? value : Object.fromEntries(fields.map((one) => [one.field, one[side]]))
    const masked = maskEntrySecrets(whole, section.secrets?.(key, whole) ?? [])
    return field === '' ? masked : (toEntryFields(masked)[field] ?? null)
  }
  return {
    section: name,
    key,
    action,
    fields: fields.map(({ field, from, to }) => ({
      field,
      from: shown('from', field, from),
      to: shown('to', field, to),
    })),
  }
}

export const stateFeature: Feature<StatePorts, typeof stateContract> = {
  contract: stateContract,
  handlers: createStateHandlers,
}
