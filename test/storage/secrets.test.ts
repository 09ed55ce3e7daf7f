import * as argon2 from '@node-rs/argon2'
import { afterAll, expect, test, vi } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import type { EncryptedPlace } from '../../core/ports/secrets.ts'
import { createSystemRandom } from '../../core/adapters/platform.ts'

// Files share what is loaded: this one loads anew what it looks into, and leaves nothing of it.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  return { ...real, verify: vi.fn(real.verify) }
})

const secrets = createSecrets('a master secret')
const here: EncryptedPlace = ['tokens.key_sealed', 1]

test('opens what it sealed, differently each time, and nothing else', () => {
  const sealed = secrets.encrypt('a key 中文', here)
  expect(sealed).toMatch(/^v2\.[\w-]+$/)
  expect(secrets.encrypt('a key 中文', here)).not.toBe(sealed)
  expect(secrets.decrypt(sealed, here)).toBe('a key 中文')
  expect(secrets.decrypt(secrets.encrypt('', here), here)).toBe('')
  const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  expect(() => secrets.decrypt(changed, here)).toThrow()
  for (const broken of ['', 'v2.', 'v2.AAAA', 'plain text']) expect(() => secrets.decrypt(broken, here)).toThrow()
  expect(() => createSecrets('another').decrypt(sealed, here)).toThrow()
})

test('hashes the same text the same way, for one master secret', () => {
  expect(secrets.hash('key')).toBe(createSecrets('a master secret').hash('key'))
  expect(secrets.hash('key')).not.toBe(createSecrets('another').hash('key'))
  expect(secrets.same('abc', 'abc')).toBe(true)
  expect(secrets.same('abc', 'abcd')).toBe(false)
})

test('knows a password, and does the same work for an account without one', async () => {
  const hash = await secrets.hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$/)
  expect(await secrets.verifyPassword('correct horse', hash)).toBe(true)
  expect(await secrets.verifyPassword('wrong horse', hash)).toBe(false)
  const compare = vi.mocked(argon2.verify)
  /** The hashes that a password was compared to in full, as what they cost. */
  const worked = async (stored: string) => {
    compare.mockClear()
    expect(await secrets.verifyPassword('anything', stored)).toBe(false)
    const whole = await Promise.allSettled(compare.mock.results.map(({ value }) => value as Promise<boolean>))
    return compare.mock.calls.flatMap(([to], index) =>
      whole[index]?.status === 'fulfilled' ? [String(to).split('$').slice(1, 4)] : [],
    )
  }
  const real = await worked(hash)
  expect(real).toEqual([['argon2id', 'v=19', 'm=19456,t=2,p=1']])
  for (const unusable of ['', 'broken', '$argon2id$v=19$broken']) expect(await worked(unusable)).toEqual(real)
})

test('refuses an empty master secret', () => {
  expect(() => createSecrets('')).toThrow(/master secret is empty/)
})

test('draws letters and digits evenly', () => {
  const random = createSystemRandom()
  const text = random.text(62_000)
  expect(text).toMatch(/^[0-9A-Za-z]{62000}$/)
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  expect(random.text(0)).toBe('')
})
