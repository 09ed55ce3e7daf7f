// Rows of refused calls: shared by token, model, reason and minute, over all processes.
import { expect, it } from 'vitest'
import { parseCallDetail } from '../../core/calls/detail.ts'
import { buildEventLog } from '../../core/logs/log.ts'
import {
  MAX_REFUSAL_IDS,
  MAX_REFUSAL_ROWS,
  REFUSAL_PERIOD_SECONDS,
  type RefusalSum,
} from '../../core/logs/refusal-rows.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { describeOnPostgres, describeWithStorage } from '../support/databases.ts'
import { newUser } from './samples.ts'

const MINUTE = 1_766_000_040
const user = { ...newUser(), id: 1, group: 'default' }

const refused = (
  model_name: string,
  request_ids: string[],
  more: { reason?: string; calls?: number; minute?: number } = {},
) => {
  const { reason = 'model.missing', calls = request_ids.length, minute = MINUTE } = more
  const row = {
    ...buildEventLog(user, 5, minute + 7, 'refused'),
    token_id: 3,
    model_name,
    request_id: request_ids[0] ?? '',
  }
  return {
    minute,
    row: { ...row, other: '{}' },
    refused: { reason, calls, joined: 0, request_ids },
  } satisfies RefusalSum
}
const readRows = async ({ logs }: Storage) =>
  (await logs.newest({ user_id: 1 }, 100))
    .map(({ model_name, request_id, other }) => ({ model_name, request_id, ...parseCallDetail(other).refused }))
    .sort((a, b) => (a.request_id < b.request_id ? -1 : 1))

describeWithStorage('rows of refused calls', (open) => {
  it('share a row by token, model, reason and minute, and are found by every id', async () => {
    const storage = await open()
    const counted = await storage.refusals.add([
      refused('a', ['id-1', 'id-2']),
      refused('a', ['id-3'], { reason: 'model.no_price' }),
      refused('a', ['id-4'], { minute: MINUTE + REFUSAL_PERIOD_SECONDS }),
    ])
    expect(counted.map(({ reason, calls }) => [reason, calls])).toEqual([
      ['model.missing', 2],
      ['model.no_price', 1],
      ['model.missing', 1],
    ])
    const more = await storage.refusals.add([refused('a', ['id-5'], { calls: 40 })])
    expect(more).toMatchObject([{ reason: 'model.missing', calls: 40, at: MINUTE + 7, model_name: 'a' }])
    expect(await readRows(storage)).toMatchObject([
      { request_id: 'id-1', reason: 'model.missing', calls: 42, request_ids: ['id-1', 'id-2', 'id-5'], joined: 0 },
      { request_id: 'id-3', reason: 'model.no_price', calls: 1 },
      { request_id: 'id-4', reason: 'model.missing', calls: 1 },
    ])
    const find = (id: string) => storage.refusals.findSharedRows([id])
    expect(await Promise.all(['id-1', 'id-5', 'id-3', 'id-4', 'id-6', ''].map(find))).toEqual([
      ...[['id-1'], ['id-1'], ['id-3'], ['id-4'], [], []],
    ])
    await storage.refusals.removeBefore(MINUTE + REFUSAL_PERIOD_SECONDS)
    expect(await Promise.all(['id-5', 'id-4'].map(find))).toEqual([[], ['id-4']])
  })

  it('keep the first request ids, each once', async () => {
    const storage = await open()
    const ids = Array.from({ length: 50 }, (_, n) => `id-${String(n).padStart(2, '0')}`)
    for (let at = 0; at < ids.length; at += 5)
      await storage.refusals.add([refused('a\0', [...ids.slice(at, at + 5), ids[0]!])])
    const [row, ...others] = await readRows(storage)
    expect(others).toEqual([])
    expect(row).toMatchObject({ calls: 60, request_ids: ids.slice(0, MAX_REFUSAL_IDS) })
  })

  it('are at most ten a minute for each token, whichever process writes them', async () => {
    const storages = [await open()]
    if (storages[0]!.kind === 'postgres') storages.push(await open(), await open())
    const sums = Array.from({ length: 36 }, (_, n) => refused(`model ${n}`, [`id-${n}`]))
    await Promise.all(
      sums.map((sum, n) => storages[n % storages.length]!.refusals.add([sum, refused('often', [`often-${n}`])])),
    )
    const rows = await readRows(storages[0]!)
    expect(rows).toHaveLength(MAX_REFUSAL_ROWS)
    expect(rows.reduce((sum, { calls = 0 }) => sum + calls, 0)).toBe(72)
    expect(rows.find(({ model_name }) => model_name === 'often')).toMatchObject({ calls: 36 })
    expect(Math.max(...rows.map(({ joined = 0 }) => joined))).toBe(36 - (MAX_REFUSAL_ROWS - 1))
  })
})

describeOnPostgres('rows of refused calls, in a log by month', (open) => {
  it('are added to in their month', async () => {
    const storage = await open()
    await storage.databaseLogs.months?.keep()
    await storage.refusals.add([refused('a', ['id-1'])])
    await storage.refusals.add([refused('a', ['id-2'])])
    expect(await readRows(storage)).toMatchObject([{ calls: 2, request_ids: ['id-1', 'id-2'] }])
  })
})
