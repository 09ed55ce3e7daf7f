// Moving in: users, keys, channels, prices and history of another product. Each import is one transaction.
import type { Feature } from '../feature.ts'
import { importsContract } from './contract.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, ContractHandlers } from '../auth/caller.ts'
import type { HandlerInput, HandlerReply } from '../contract/endpoint.ts'
import { parseNameList } from '../channels/channel.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { CachedDataChange, Storage, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { SettingsSnapshot } from '../settings/snapshot.ts'
import type { ConfigurationImportRow } from './imported-rows.ts'
import type { ImportPass } from './pass.ts'
import { placeLogRows, placeTaskRows } from './place-past.ts'
import { placeChannelRows, placeRedemptionRows, placeOrderRows, placeTokenRows } from './place-rest.ts'
import { placeImportedPrices } from './place-prices.ts'
import { placeImportedSettings, getUnitScale } from './place-settings.ts'
import { placeUserRows, type MergedRoot } from './place-users.ts'
import { ImportReport } from './report.ts'

interface ImportPorts {
  storage: Storage
  ledger: Ledger
  snapshot: SettingsSnapshot
  secrets: Secrets
  random: Random
  clock: Clock
  version: string
  settings(): Settings
}

type From = Pick<HandlerInput<typeof importsContract.bring>, 'product' | 'marks' | 'units' | 'dry_run'>
type ImportReply = HandlerReply<typeof importsContract.bring>

const WHOLE_KINDS = ['user', 'token', 'channel', 'option', 'price', 'redemption', 'topup'] as const

function createImportHandlers(ports: ImportPorts): ContractHandlers<typeof importsContract> {
  const { storage, ledger, snapshot, secrets, random, clock, version, settings } = ports

  /** Runs the work in one transaction, which is rolled back in a dry run. */
  async function within<T>(
    from: From,
    caller: Caller,
    kinds: readonly string[],
    work: (pass: ImportPass) => Promise<T>,
  ): Promise<{ report: ImportReply; result: T }> {
    const now = seconds(clock)
    const made = async (stores: WriteTransaction) => {
      const source = await stores.imports.source(from.product, from.marks, now)
      const pass: ImportPass = {
        within: stores,
        secrets,
        random,
        digest: storage.chain.digest,
        source,
        now,
        tried: from.dry_run,
        ids: await stores.imports.brought(source, kinds),
        report: new ImportReport(),
        fresh: [],
        scale: getUnitScale(from.units, settings().QuotaPerUnit),
        by_user_id: caller.user?.id ?? null,
      }
      const result = await work(pass)
      await stores.imports.remember(source, pass.fresh)
      const { counts, lines } = pass.report
      const whole = { report: { counts, lines }, result }
      if (from.dry_run) throw new Tried(whole)
      return whole
    }
    return storage.transaction(made).catch((error: unknown) => {
      if (error instanceof Tried) return error.whole as { report: ImportReply; result: T }
      throw error
    })
  }

  return {
    async bring({ rows, ...from }, { caller }) {
      const of = <K extends ConfigurationImportRow['kind']>(kind: K) =>
        rows.filter((row): row is Extract<ConfigurationImportRow, { kind: K }> => row.kind === kind)
      const { report, result } = await within(from, caller, WHOLE_KINDS, async (pass) => {
        const people = await pass.within.imports.users()
        const isNew = people.length <= 1
        const options = of('option')
        const takesUnits =
          isNew && options.some(({ key, value }) => key === 'QuotaPerUnit' && Number(value) === from.units)
        if (takesUnits) pass.scale = getUnitScale(1, 1)
        const groups = new Set([
          ...of('user').map(({ group }) => group),
          ...of('token').map(({ group }) => group),
          ...of('channel').flatMap(({ group }) => parseNameList(group)),
        ])
        const { product, units } = from
        const prices = of('price')
        const priced = new Set(prices.map(({ id }) => id))
        const models = new Set(of('channel').flatMap(({ models: list }) => parseNameList(list)))
        const to = {
          snapshot,
          author: toAuditAuthor(caller),
          product,
          isNew,
          units,
          groups,
          priced,
          settings: settings(),
        }
        await placeImportedSettings(pass, to, options)
        await placeImportedPrices(pass, to, prices, [...models].sort())
        const merged = await placeUserRows(pass, of('user'))
        await placeChannelRows(pass, of('channel'))
        await placeTokenRows(pass, of('token'))
        await placeRedemptionRows(pass, of('redemption'))
        await placeOrderRows(pass, of('topup'))
        await record(pass, caller, product)
        return merged
      })
      if (from.dry_run) return report
      await settled(result)
      return report
    },
    async history({ rows, ...from }, { caller }) {
      const { report } = await within(from, caller, ['user', 'token', 'channel'], async (pass) => {
        await placeLogRows(
          pass,
          rows.filter((row) => row.kind === 'log'),
        )
        await placeTaskRows(
          pass,
          rows.filter((row) => row.kind === 'task'),
        )
      })
      return report
    },
  }

  /** Does the part of an import that cannot be in its transaction. It is idempotent. */
  async function settled(merged: MergedRoot | null): Promise<void> {
    if (merged && merged.amount !== 0) {
      const { user, amount, reference } = merged
      await ledger.credit({ account_id: user.id, kind: 'opening', amount, reference })
    }
    for (const topic of TOPICS) await storage.announce({ topic, id: 0 })
    const isSetUp = (await storage.setup.find()) !== null
    if (!isSetUp && (await storage.users.findRoot()))
      await storage.setup.insert({ version, initialized_at: seconds(clock) })
  }
}

const TOPICS: CachedDataChange['topic'][] = ['settings', 'channels', 'users', 'tokens']

/** How many rows of each kind came, where any did. */
async function record({ within, report, fresh, now }: ImportPass, caller: Caller, target: string): Promise<void> {
  if (fresh.length === 0) return
  const came = Object.fromEntries(report.counts.map(({ kind, came, changed }) => [kind, came + changed]))
  const what = { action: 'import.bring', target, before: '', after: JSON.stringify(came) }
  await within.audit.insert([{ ...toAuditAuthor(caller), ...what, created_at: now }])
}

/** Ends a transaction that was only tried, with what it would have done. */
class Tried extends Error {
  readonly whole: unknown
  constructor(whole: unknown) {
    super('Nothing of this was kept')
    this.whole = whole
  }
}

export const importsFeature: Feature<ImportPorts, typeof importsContract> = {
  contract: importsContract,
  handlers: createImportHandlers,
}
