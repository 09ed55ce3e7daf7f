// Each rule of attention at its limits, with every combination of others; each finding has texts and a possible remedy.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { listEveryCommand } from '../../../cli/command.ts'
import { allCommands } from '../../../cli/commands/index.ts'
import { listAdminFindings, listOwnFindings } from '../../../core/attention/findings.ts'
import { findingRules, type FindingKind, type FindingRule } from '../../../core/attention/rules.ts'
import { createEmptyHour } from '../../../core/channels/channel-hours.ts'
import { listFailures } from '../../support/list-failures.ts'

const channel = (id: number, over: object = {}) => ({
  ...{ id, name: `channel ${id}`, status: 1, other_info: '', balance: 0, balance_updated_time: 0 },
  ...over,
})
const hour = (channel_id: number, answered: number, failed: number, error = '', error_at = 1) => {
  const empty = createEmptyHour(channel_id, '', 0)
  return { ...empty, answered, failed: { ...empty.failed, server: failed }, error, error_at }
}
const off = (...keys: object[]) =>
  JSON.stringify({ keys_off: Object.fromEntries(keys.map((key, at) => [`k${at}`, { reason: 'r', time: 1, ...key }])) })

describe('what administrators look after', () => {
  const kinds = (known: Partial<Parameters<typeof listAdminFindings>[0]>) =>
    listAdminFindings({ channels: [], hours: [], unpriced: [], ...known }).map(({ kind }) => kind)

  it.each([
    { answered: 0, failed: 4, found: false },
    { answered: 0, failed: 5, found: true },
    { answered: 5, failed: 5, found: true },
    { answered: 6, failed: 5, found: false },
  ])('a burst is five failures and half of the tries: $failed failed, $answered answered', (tries) => {
    const hours = [hour(7, tries.answered, 0), hour(7, 0, tries.failed), hour(8, 100, 0)]
    expect(kinds({ channels: [channel(7)], hours })).toEqual(tries.found ? ['errors'] : [])
    expect(kinds({ channels: [channel(7, { status: 2 })], hours })).toEqual([])
  })

  it('counts that are away, and a home of the log that takes no rows, are told', () => {
    expect(kinds({ countsAway: true })).toEqual(['counts_away'])
    const stuckLog = { home: 'clickhouse://127.0.0.1:8123/logs', failure: 'connect ECONNREFUSED' }
    expect(listAdminFindings({ channels: [], hours: [], unpriced: [], stuckLog })).toMatchObject([
      { kind: 'log_waits', name: stuckLog.home, reason: stuckLog.failure },
    ])
  })

  it('the last test of an enabled channel that failed is told, with its error', () => {
    const tests = [
      { channel_id: 7, passed: false, error: 'status code 404: gone' },
      { channel_id: 8, passed: true, error: '' },
    ]
    expect(listAdminFindings({ channels: [channel(7), channel(8)], hours: [], tests, unpriced: [] })).toMatchObject([
      { kind: 'test_failed', id: 7, reason: 'status code 404: gone' },
    ])
    expect(kinds({ channels: [channel(7, { status: 2 })], tests })).toEqual([])
  })

  it('a burst is told with what the provider said last', () => {
    const hours = [hour(7, 0, 3, 'later', 9), hour(7, 1, 6, 'earlier', 8)]
    expect(listAdminFindings({ channels: [channel(7)], hours, unpriced: [] })).toMatchObject([
      { id: 7, name: 'channel 7', failed: 9, tried: 10, reason: 'later' },
    ])
  })

  it.each([
    { balance: 4.99, balance_updated_time: 1, status: 1, found: true },
    { balance: 5, balance_updated_time: 1, status: 1, found: false },
    { balance: 0, balance_updated_time: 0, status: 1, found: false },
    { balance: 1, balance_updated_time: 1, status: 2, found: false },
  ])('a balance below $5 that was asked for is low: $balance', ({ found, ...over }) => {
    expect(kinds({ channels: [channel(1, over)] })).toEqual(found ? ['low_balance'] : [])
  })

  it('a key that somebody switched off is not dead, a channel that somebody switched off is not broken', () => {
    expect(kinds({ channels: [channel(1, { status: 2, other_info: off({ by_hand: true }) })] })).toEqual([])
    const dead = channel(1, { other_info: off({ by_hand: true }, { reason: 'Invalid' }, {}) })
    expect(listAdminFindings({ channels: [dead], hours: [], unpriced: [] })).toMatchObject([
      { kind: 'keys_off', keys: 2, reason: 'Invalid' },
    ])
    const broken = channel(1, { status: 3, other_info: JSON.stringify({ status_reason: 'Incorrect API key' }) })
    expect(listAdminFindings({ channels: [broken], hours: [], unpriced: [] })).toMatchObject([
      { kind: 'channel_off', severity: 'error', reason: 'Incorrect API key' },
    ])
  })

  it('a model without a price needs one once it was asked for', () => {
    const unpriced = [
      { model: 'never', calls: 0 },
      { model: 'once', calls: 1 },
    ]
    expect(listAdminFindings({ channels: [], hours: [], unpriced })).toMatchObject([
      { kind: 'no_price', name: 'once', calls: 1 },
    ])
  })

  test('a channel is told of once by each rule, whatever the others are, and errors stand before warnings', () => {
    const one = fc.record({
      status: fc.constantFrom(1, 2, 3),
      other_info: fc.constantFrom('', 'not JSON', off({}), off({ by_hand: true })),
      balance: fc.double({ min: -10, max: 20, noNaN: true }),
      balance_updated_time: fc.constantFrom(0, 1),
      answered: fc.nat(10),
      failed: fc.nat(10),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 6 }), (all) => {
        const channels = all.map((each, at) => channel(at + 1, each))
        const hours = all.map(({ answered, failed }, at) => hour(at + 1, answered, failed))
        const found = listAdminFindings({ channels, hours, unpriced: [] })
        const alone = channels.flatMap((each, at) =>
          listAdminFindings({ channels: [each], hours: [hours[at]!], unpriced: [] }),
        )
        const names = (list: typeof found) => list.map(({ kind, id }) => `${kind} ${id}`).sort()
        expect(names(found)).toEqual(names(alone))
        expect(new Set(names(found)).size).toBe(found.length)
        const severities = found.map(({ severity }) => severity)
        expect(severities).toEqual([...severities].sort())
      }),
    )
  })
})

it.each([
  { quota: 500, calls: 100, failed: 49, found: [] },
  { quota: 499, calls: 10, failed: 5, found: ['own_errors', 'own_balance'] },
  { quota: 500, calls: 4, failed: 4, found: [] },
])('what users look after: $quota units, $failed of $calls failed', ({ found, ...known }) => {
  expect(listOwnFindings({ ...known, threshold: 500 }).map(({ kind }) => kind)).toEqual(found)
})

describe('every rule', () => {
  const all = Object.entries(findingRules) as [FindingKind, FindingRule][]
  const facts = Object.keys(listOwnFindings({ quota: 0, threshold: 1, calls: 0, failed: 0 })[0]!)
  const named = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort()

  it('says the same in both languages, of what a finding tells', async () => {
    const failures = await listFailures(
      all,
      ([kind]) => kind,
      ([, rule]) => {
        expect(named(rule.text.en)).toEqual(named(rule.text.zh))
        const { page, command } = rule.repair
        for (const text of [rule.text.en, page, command]) expect(facts).toEqual(expect.arrayContaining(named(text)))
      },
    )
    expect(failures).toEqual([])
  })

  it('leads to a page and to commands that there are', async () => {
    const failures = await listFailures(
      all,
      ([kind]) => kind,
      ([, rule]) => {
        const page = rule.repair.page.replace(/\?.*/, '').replace('{id}', '7')
        expect(
          pages.some((pattern) => pattern.test(page)),
          page,
        ).toBe(true)
        for (const line of rule.repair.command.split(' && '))
          expect(
            lines.some((words) => `${line} `.startsWith(`weir ${words} `)),
            line,
          ).toBe(true)
      },
    )
    expect(failures).toEqual([])
  })
})

const lines = listEveryCommand(allCommands).map(([path]) => path.join(' '))
const screens = join(import.meta.dirname, '../../../console/screens')
const pages = readdirSync(screens, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('screen.ts') && file !== 'screen.ts')
  .flatMap((file) => [...readFileSync(join(screens, file), 'utf8').matchAll(/'(\/[^']*)'/g)])
  .map(([, path]) => new RegExp(`^${path!.replace(/:\w+\??/g, '[^/]+')}$`))
