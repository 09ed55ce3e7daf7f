import { expect, test } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import type { Place } from '../../core/ports/secrets.ts'
import { createRandom } from '../../core/adapters/system-random.ts'

const secrets = createSecrets('a master secret')
const here: Place = ['tokens.key_sealed', 1]

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

test('knows a password, and takes as long for an account without one', async () => {
  const hash = await secrets.hashPassword('correct horse')
  expect(hash).toMatch(/^\$argon2id\$/)
  expect(await secrets.verifyPassword('correct horse', hash)).toBe(true)
  expect(await secrets.verifyPassword('wrong horse', hash)).toBe(false)
  /** The shortest of several, in ms: a busy machine makes single ones long. */
  const timed = async (stored: string) => {
    let shortest = Infinity
    for (let round = 0; round < 5; round++) {
      const start = performance.now()
      expect(await secrets.verifyPassword('anything', stored)).toBe(false)
      shortest = Math.min(shortest, performance.now() - start)
    }
    return shortest
  }
  const real = await timed(hash)
  for (const unusable of ['', 'broken', '$argon2id$v=19$broken'])
    expect(await timed(unusable)).toBeGreaterThan(real / 4)
})

test('refuses an empty master secret', () => {
  expect(() => createSecrets('')).toThrow(/master secret is empty/)
})

test('draws letters and digits evenly', () => {
  const random = createRandom()
  const text = random.text(62_000)
  expect(text).toMatch(/^[0-9A-Za-z]{62000}$/)
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  expect(random.text(0)).toBe('')
})
