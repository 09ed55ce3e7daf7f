// The owner of a key is cached, and removed from the cache on every change.
import { expect, test } from 'vitest'
import { createCallerCache } from '../../../core/auth/caller-cache.ts'
import { formatPresentedKey } from '../../../core/tokens/token.ts'
import { createFakeClock } from '../../support/clock.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { newToken, newUser } from '../../storage/samples.ts'

describeWithStorage('the caller cache', (open) => {
  async function withToken() {
    const storage = await open()
    await storage.users.insert(newUser())
    const token = await storage.tokens.insert(newToken())
    return { storage, token, cache: createCallerCache(storage, createFakeClock()) }
  }

  test('knows the token and the owner of a key', async () => {
    const { cache, token } = await withToken()
    expect(await cache.find(formatPresentedKey(token.key))).toMatchObject({
      token: { id: token.id },
      user: { username: 'alice' },
    })
    expect(await cache.find(formatPresentedKey(token.key))).toBe(await cache.find(formatPresentedKey(token.key)))
    expect(await cache.find(formatPresentedKey('unknown'))).toBeNull()
  })

  test('drops what changed, at once', async () => {
    const { storage, cache, token } = await withToken()
    await cache.find(formatPresentedKey(token.key))
    await storage.users.update(token.user_id, { status: 2 })
    await storage.announce({ topic: 'users', id: token.user_id })
    expect((await cache.find(formatPresentedKey(token.key)))?.user.status).toBe(2)
    await storage.tokens.update(token.id, { name: 'other' })
    await storage.announce({ topic: 'tokens', id: token.id })
    expect((await cache.find(formatPresentedKey(token.key)))?.token?.name).toBe('other')
    await storage.tokens.delete(token.id)
    await storage.announce({ topic: 'tokens', id: token.id })
    expect(await cache.find(formatPresentedKey(token.key))).toBeNull()
  })

  test('keeps the others, and drops everybody where all is said to have changed', async () => {
    const { storage, cache, token } = await withToken()
    await cache.find(formatPresentedKey(token.key))
    const found = await cache.find(formatPresentedKey(token.key))
    for (const topic of ['users', 'tokens'] as const) await storage.announce({ topic, id: 99 })
    for (const topic of ['settings', 'channels'] as const) await storage.announce({ topic, id: 0 })
    expect(await cache.find(formatPresentedKey(token.key))).toBe(found)
    await storage.announce({ topic: 'users', id: 0 })
    expect(await cache.find(formatPresentedKey(token.key))).not.toBe(found)
  })

  test('does not keep what changed while it was read', async () => {
    const { storage, cache, token } = await withToken()
    const reading = cache.find(formatPresentedKey(token.key))
    await storage.tokens.update(token.id, { status: 2 })
    await storage.announce({ topic: 'tokens', id: token.id })
    await reading
    expect((await cache.find(formatPresentedKey(token.key)))?.token?.status).toBe(2)
  })

  test('finds a key that was unknown when it was first tried', async () => {
    const { storage, cache } = await withToken()
    expect(await cache.find(formatPresentedKey('x'.repeat(48)))).toBeNull()
    await storage.tokens.insert(newToken({ key: 'x'.repeat(48) }))
    expect(await cache.find(formatPresentedKey('x'.repeat(48)))).not.toBeNull()
  })
})
