// The token endpoints: own tokens only, and nothing a token may not be.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import type { Token } from '../../../core/tokens/token.ts'
import { ledgerWrite } from '../../storage/samples.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'
import { formatPresentedKey } from '../../../core/tokens/token.ts'

let gateway: MemoryGateway
let user: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  user = await gateway.as('user')
})
afterEach(() => gateway.close())

const ask = (name: string, input: Record<string, unknown> = {}) =>
  gateway.ask(user, `tokens.${name}`, input) as Promise<Token>
const refusal = (name: string, input: Record<string, unknown>) => gateway.refusal(user, `tokens.${name}`, input)

describe('a token', () => {
  test('is made with a key of its own and the budget asked for', async () => {
    const made = await ask('create', { name: 'laptop', remain_quota: 500 })
    expect(made).toMatchObject({
      name: 'laptop',
      remain_quota: 500,
      unlimited_quota: false,
      status: 1,
      expired_time: -1,
    })
    expect(made.key).toMatch(/^[A-Za-z0-9]{48}$/)
    expect((await ask('create', { name: 'second' })).key).not.toBe(made.key)
    expect(await ask('get', { id: made.id })).toEqual(made)
  })

  test('needs a name of at most 30 characters and a budget of at least 0', async () => {
    expect(await refusal('create', { name: ' ' })).toBe('token.name_required')
    expect(await refusal('create', { name: 'x'.repeat(31) })).toBe('token.name_long')
    expect(await refusal('create', { name: 'x', remain_quota: -1 })).toBe('request.invalid')
    expect(await refusal('create', { name: 'x', remain_quota: 1.5 })).toBe('request.invalid')
    for (const expired_time of [-2, '2026-13-45', 1.5]) {
      expect(await refusal('create', { name: 'x', expired_time })).toBe('token.expiry')
    }
    await ask('create', { name: 'x'.repeat(30) })
  })

  test('reaches no group that its owner may not choose', async () => {
    expect(await refusal('create', { name: 'x', group: 'svip' })).toBe('group.disabled')
    const { id } = await ask('create', { name: 'x', group: 'vip' })
    expect(await refusal('update', { id, group: 'svip' })).toBe('group.disabled')
  })

  test('of somebody else is answered as if it did not exist, to administrators too', async () => {
    const { id } = await ask('create', { name: 'mine' })
    for (const role of ['admin', 'root'] as const) {
      const other = await gateway.as(role)
      for (const name of ['tokens.get', 'tokens.update', 'tokens.delete']) {
        expect(await gateway.refusal(other, name, { id, name: 'stolen' })).toBe('token.missing')
      }
      expect(await gateway.ask(other, 'tokens.list')).toMatchObject({ data: [], total: 0 })
      expect(await gateway.ask(other, 'tokens.search', { keyword: 'mine' })).toMatchObject({ data: [], total: 0 })
    }
    expect(await ask('get', { id })).toMatchObject({ name: 'mine' })
  })

  test('is disabled and enabled by its owner', async () => {
    const { id, key } = await ask('create', { name: 'x', remain_quota: 5 })
    expect(await ask('update', { id, status: 2, status_only: 'true', name: 'ignored' })).toMatchObject({
      status: 2,
      name: 'x',
    })
    expect((await gateway.callers.find(formatPresentedKey(key)))?.token?.status).toBe(2)
    expect(await ask('update', { id, status: 1, status_only: 'true' })).toMatchObject({ status: 1, remain_quota: 5 })
    // The other states are nobody's decision.
    for (const status of [0, 3, 4, 5, undefined]) {
      expect(await refusal('update', { id, status, status_only: 'true' })).toBe('status.unknown')
    }
    // A whole form leaves the status alone, whatever its row said.
    for (const status of [0, 1, 2, 3, 4]) expect(await ask('update', { id, status })).toMatchObject({ status: 1 })
    expect(await refusal('update', { id, status: 2, status_only: 'maybe' })).toBe('request.flag')
  })

  test('is not enabled while it is expired or empty, and comes back when the reason is gone', async () => {
    const { id } = await ask('create', { name: 'x', expired_time: 1, remain_quota: 0 })
    expect(await refusal('update', { id, status: 1, status_only: 'true' })).toBe('token.still_expired')
    expect(await ask('update', { id, expired_time: -1 })).toMatchObject({ status: 4 })
    expect(await refusal('update', { id, status: 1, status_only: 'true' })).toBe('token.still_exhausted')
    expect(await ask('update', { id, remain_quota: 10 })).toMatchObject({ status: 1, remain_quota: 10 })
    expect(await ask('update', { id, remain_quota: 0 })).toMatchObject({ status: 4, remain_quota: 0 })
    expect(await ask('update', { id, status: 2, status_only: 'true' })).toMatchObject({ status: 2 })
    expect(await ask('update', { id, unlimited_quota: true })).toMatchObject({
      status: 2,
      unlimited_quota: true,
    })
  })

  test('does not take back what was spent while it was changed to unlimited', async () => {
    const { id } = await ask('create', { name: 'x', remain_quota: 100 })
    const { ledger } = gateway.storage
    await ledger.transact(async (transaction) =>
      transaction.write(
        ledgerWrite({ tokens: [{ id, remain_quota: -30, held: 0, used_quota: 30, accessed_time: 0 }] }),
      ),
    )
    expect(await ask('update', { id, unlimited_quota: true })).toMatchObject({ remain_quota: 70, used_quota: 30 })
  })

  test('keeps what a change does not name', async () => {
    const made = await ask('create', { name: 'x', remain_quota: 7, allow_ips: '10.0.0.0/8', model_limits: 'a,b' })
    expect(await ask('update', { id: made.id, name: 'y' })).toEqual({ ...made, name: 'y', version: 2 })
    expect(await ask('update', { id: made.id, allow_ips: null })).toEqual({ ...made, name: 'y', version: 2 })
    expect(await ask('update', { id: made.id, allow_ips: '' })).toEqual({
      ...{ ...made, name: 'y', allow_ips: '', version: 3 },
    })
  })

  test('is found by part of its name and by its key as clients write it', async () => {
    const laptop = await ask('create', { name: 'my laptop' })
    await ask('create', { name: 'server' })
    const found = async (query: object) =>
      ((await gateway.ask(user, 'tokens.search', { ...query })) as { data: Token[] }).data.map(({ id }) => id)
    expect(await found({ keyword: 'LAPTOP' })).toEqual([laptop.id])
    expect(await found({ token: laptop.key })).toEqual([laptop.id])
    expect(await found({ token: `sk-${laptop.key}` })).toEqual([laptop.id])
    expect(await found({ token: `Bearer sk-${laptop.key}` })).toEqual([laptop.id])
    expect(await found({ keyword: 'server', token: laptop.key })).toEqual([])
    expect(await found({ keyword: '%' })).toEqual([])
  })

  test('is gone once deleted, for its calls too', async () => {
    const { id, key } = await ask('create', { name: 'x' })
    expect(await gateway.callers.find(formatPresentedKey(key))).not.toBeNull()
    await ask('delete', { id })
    expect(await gateway.callers.find(formatPresentedKey(key))).toBeNull()
    expect(await refusal('get', { id })).toBe('token.missing')
    expect(await refusal('delete', { id })).toBe('token.missing')
  })
})
