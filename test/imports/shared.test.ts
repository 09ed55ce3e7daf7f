// Databases that the products themselves wrote: every row is accounted for, and keys and passwords go on working. `npm test` has
// one of each product.
import { spawn, type ChildProcess } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportProduct } from '../../core/imports/imported-rows.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { hasMariadb, startMariadb, type Mariadb } from '../support/mariadb.ts'
import { freshDatabase, migratedDatabase } from '../support/postgres.ts'
import { runsAllTests } from '../support/suite.ts'
import { accounted, callWith, importInto, lineOf, manifestOf, modelsOf, sharedImport } from './import.ts'
import { restoreDump } from './postgres-dump.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

/** Where the channels of those databases point. */
const VENDOR_PORT = 8701

/** Rows by the table of the product, as the report calls them. */
const KINDS: Readonly<Record<string, string[]>> = {
  users: ['user'],
  channels: ['channel'],
  tokens: ['token'],
  redemptions: ['redemption'],
  options: ['option'],
  top_ups: ['topup'],
  logs: ['log'],
  abilities: ['abilities'],
  quota_data: ['quota_data'],
  setups: ['setups'],
}

const ONE_OF_EACH: [ImportProduct, string][] = [
  ['new-api', 'new-api.sqlite'],
  ['one-api', 'one-api.sqlite'],
]
const EVERY_SOURCE: [ImportProduct, string][] = [
  ...ONE_OF_EACH,
  ['new-api', 'new-api.postgres.sql'],
  // Debian's server is no package of npm: this one runs where it is installed.
  ...(hasMariadb() ? [['new-api', 'new-api.mysql.sql'] satisfies [ImportProduct, string]] : []),
]

const SOURCES = runsAllTests ? EVERY_SOURCE : ONE_OF_EACH

const vendor = sharedImport('vendor.mjs')

describe.skipIf(vendor === null).each(SOURCES)('a database that %s wrote: %s', (product, file) => {
  const shared = sharedImport(file) ?? ''
  describe.each(listDatabaseKinds())('into a Weir on %s', (kind) => {
    let weir: TestGateway & { clean(): Promise<void> }
    let provider: ChildProcess
    let result: Awaited<ReturnType<typeof importInto>>
    let place = shared
    let mariadb: Mariadb | undefined
    const manifest = vendor === null ? null : manifestOf(shared)
    beforeAll(async () => {
      if (file.endsWith('.postgres.sql')) {
        place = await freshDatabase()
        await restoreDump(place, shared)
      }
      if (file.endsWith('.mysql.sql')) {
        mariadb = await startMariadb()
        place = await mariadb.database('source')
        await mariadb.load(place, shared)
      }
      provider = spawn(process.execPath, [vendor ?? '', String(VENDOR_PORT)], { stdio: 'ignore' })
      weir = await openTestGateway(kind === 'postgres' ? { database: await migratedDatabase() } : {})
      const dry = await importInto(weir, place, { product, dry_run: true })
      result = await importInto(weir, place, { product })
      expect(dry.counts).toEqual(result.counts)
    })
    afterAll(async () => {
      provider.kill()
      await weir.close()
      await mariadb?.close()
    })

    it('is accounted for row by row', () => {
      for (const [table, count] of Object.entries(manifest?.counts ?? {})) {
        const kinds = KINDS[table] ?? []
        if (kinds.length > 0)
          expect(
            kinds.reduce((sum, kind) => sum + accounted(result, kind), 0),
            table,
          ).toBe(count)
      }
      const tasks = (manifest?.counts.midjourneys ?? 0) + (manifest?.counts.tasks ?? 0)
      expect(accounted(result, 'task')).toBe(tasks)
    })

    it('has books that hold, with every balance in them', async () => {
      const { users, quota } = weir.root.client
      expect((await quota.verify()).ok).toBe(true)
      const { sums } = await users.list({ totals: 'true', page_size: 100 })
      const own = 100_000_000
      expect(BigInt(sums?.quota ?? 0) - BigInt(own)).toBe(BigInt(manifest?.sums.users_quota ?? 0))
      expect(sums?.used_quota).toBe(Number(manifest?.sums.users_used_quota))
    })

    it('lets people in with the passwords that they had', async () => {
      for (const { username, password } of manifest?.passwords ?? []) {
        const isRoot = username === 'root'
        expect((await weir.visitor().login(username, password)).json.success, username).toBe(!isRoot)
      }
      expect(lineOf(result, 'user', '1')?.why.en).toContain('password and settings here stay')
    })

    it('serves its keys as the product did', async () => {
      for (const { what, key, models_status, models, calls_from_127_0_0_1: calls } of manifest?.sample_tokens ?? []) {
        const isRefused = calls.every(({ status }) => status >= 400)
        const listed = await modelsOf(weir.url, key)
        // A key that may be used from elsewhere lists nothing here; one that has nothing left still says what there is.
        if (!isRefused) expect(listed, what).toEqual({ status: models_status, models: [...new Set(models)].sort() })
        for (const { model, status } of calls) {
          const answered = await callWith(weir.url, key, model)
          if (status < 400) expect(answered, `${what}: ${model}`).toBe(status)
          else expect(answered, `${what}: ${model}`).toBeGreaterThanOrEqual(400)
        }
      }
    })

    it('charges each model as the product did, by its own log', async () => {
      const { items } = await weir.root.client.logs.list({ type: 2, page_size: 100 })
      const { ModelRatio, CompletionRatio, ModelPrice } = weir.gateway.settings()
      const charged = items.flatMap(({ model_name, content, other }) => {
        const [, ratio, completion] = /^倍率：([\d.]+) × [\d.]+ × ([\d.]+)$/.exec(content) ?? []
        const detail = JSON.parse(other) as { model_ratio?: number; completion_ratio?: number; model_price?: number }
        const figures = {
          ratio: Number(ratio ?? detail.model_ratio),
          completion: Number(completion ?? detail.completion_ratio),
        }
        return (detail.model_price ?? -1) >= 0 || Number.isNaN(figures.ratio) ? [] : [{ model_name, ...figures }]
      })
      expect(charged.length).toBeGreaterThan(20)
      for (const { model_name: model, ratio, completion } of charged.filter(
        ({ model_name }) => !(model_name in ModelPrice),
      )) {
        expect(ModelRatio[model], model).toBeCloseTo(ratio, 1)
        expect(CompletionRatio[model], model).toBeCloseTo(completion, 1)
      }
    })

    it('brings nothing a second time', async () => {
      const again = await importInto(weir, place, { product })
      expect(again.counts.filter(({ came, changed }) => came + changed > 0)).toEqual([])
    })
  })
})
