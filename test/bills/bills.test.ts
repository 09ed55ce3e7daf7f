// The log row of every kind of call contains all values of its charge, and they add up to it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { getDetailSchemas, parseCallDetail } from '../../core/calls/detail.ts'
import { PRICE_COMPONENTS } from '../../core/pricing/components.ts'
import { openTestGateway } from '../support/gateway.ts'
import { listFailures } from '../support/list-failures.ts'
import { billedCalls, type BilledCall } from './calls.ts'
import { made } from './made.ts'
import { recomputed } from './recompute.ts'

/** Members of a detail that its schema does not have, and those that it cannot read. */
function unknownMembers(other: string): string[] {
  const written = JSON.parse(other) as Record<string, unknown>
  const read: Record<string, unknown> = parseCallDetail(other)
  const { tools = [] } = parseCallDetail(other)
  const ofTools = tools.flatMap(({ name }) => {
    const tool = name === 'web_search_preview' ? 'web_search' : name.split('/', 1)[0]!
    return [tool, `${tool}_call_count`, `${tool}_price`]
  })
  return Object.keys(written).filter(
    (key) =>
      !(ofTools.includes(key) || (Object.hasOwn(getDetailSchemas().CallDetail.shape, key) && read[key] !== undefined)),
  )
}

it('a detail has a member for every component that is logged', () => {
  const logged = Object.values<{ log?: string }>(PRICE_COMPONENTS).flatMap(({ log }) => log ?? [])
  expect(logged.filter((name) => !Object.hasOwn(getDetailSchemas().CallDetail.shape, name))).toEqual([])
})

describe('the charge of a row, from the row alone', () => {
  let weir: Awaited<ReturnType<typeof openTestGateway>>
  beforeAll(async () => {
    weir = await openTestGateway()
  })
  afterEach(() => weir.clean())
  afterAll(() => weir.close())

  it('adds up, and is what was paid, for every kind of call', { timeout: 120_000 }, async () => {
    const checkCall = async (call: BilledCall) => {
      await weir.clean()
      const { row, paid } = await made(weir, call)
      expect(row.quota).toBe(paid)
      expect(paid).toBeGreaterThan(0)
      expect(recomputed(row)).toBe(paid)
      expect(unknownMembers(row.other)).toEqual([])
    }
    expect(await listFailures(billedCalls, ({ name }) => name, checkCall)).toEqual([])
  })

  it('says how it was estimated, in the row and in the receipt', async () => {
    const told = async (name: string) => {
      const { row, receipt_id } = await made(
        weir,
        billedCalls.find((call) => call.name === name)!,
      )
      const { receipt } = await weir.root.client.quota.receipt({ receipt_id })
      await weir.clean()
      return { row: JSON.parse(row.other).estimated_by, receipt: receipt.estimated_by, words: row.content }
    }
    expect(await told('chat')).toMatchObject({ row: undefined, receipt: undefined })
    expect(await told('chat without a report')).toMatchObject({ row: 'tokenizer', receipt: 'tokenizer' })
    expect(await told('seconds of a file')).toMatchObject({ row: 'sound_length', receipt: 'sound_length' })
    expect(await told('seconds of a file that nobody can read')).toMatchObject({
      ...{ row: 'sound_size', receipt: 'sound_size' },
      words: expect.stringContaining('could not be read'),
    })
  })
})
