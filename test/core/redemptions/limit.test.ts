// Codes are guessed at a few times only: by one address, and by one account from wherever.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryGateway, type MemoryGateway, type Role } from '../gateway.ts'

let gateway: MemoryGateway
beforeEach(async () => {
  gateway = await openMemoryGateway()
  const value = JSON.stringify({ redemption: [2, 60] })
  await gateway.ask(await gateway.as('root'), 'settings.update', { key: 'ApiRateLimits', value })
})
afterEach(() => gateway.close())

const guess = async (role: Role, ip: string) =>
  gateway.refusal({ ...(await gateway.as(role)), ip }, 'redemptions.redeem', { key: 'guess' })

test('by one account, from wherever', async () => {
  const codes = [await guess('user', '198.51.100.1'), await guess('user', '198.51.100.2')]
  expect(codes).toEqual(['redemption.unknown', 'redemption.unknown'])
  expect(await guess('user', '198.51.100.3')).toBe('limit.requests')
  expect(await guess('admin', '198.51.100.3')).toBe('redemption.unknown')
})

test('by one address, whoever asks', async () => {
  const codes = [await guess('user', '198.51.100.1'), await guess('admin', '198.51.100.1')]
  expect(codes).toEqual(['redemption.unknown', 'redemption.unknown'])
  expect(await guess('root', '198.51.100.1')).toBe('limit.requests')
})
