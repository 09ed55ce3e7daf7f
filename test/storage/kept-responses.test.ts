// Kept answers: found by their id, bounded for each user, gone when their time or their user is.
import { expect, test } from 'vitest'
import type { StoredResponseRow } from '../../core/channels/stored-response-store.ts'
import { describeWithStorage } from '../support/databases.ts'

const row = (id_hash: string, more: Partial<StoredResponseRow> = {}): StoredResponseRow => ({
  ...{ id_hash, user_id: 1, token_id: 2, model: 'm', channel_id: 3, key: 'k', created_at: 1000, sealed: null },
  ...more,
})
const own = (id_hash: string, created_at: number, more: Partial<StoredResponseRow> = {}) =>
  row(id_hash, { created_at, sealed: 'x'.repeat(10), ...more })

describeWithStorage('the store of kept answers', (open) => {
  test('gives back what was noted first, and nothing of other ids', async () => {
    const { keptResponses } = await open()
    await keptResponses.keep([row('a'), own('b', 5)])
    await keptResponses.keep([row('a', { channel_id: 9, user_id: 7 })])
    expect(await keptResponses.find('a')).toEqual(row('a'))
    expect(await keptResponses.find('b')).toEqual(own('b', 5))
    expect(await keptResponses.find('c')).toBeNull()
    await keptResponses.remove('a')
    expect(await keptResponses.find('a')).toBeNull()
    expect(await keptResponses.find('b')).not.toBeNull()
  })

  test('keeps so many answers and bytes of each user, the newest', async () => {
    const { keptResponses } = await open()
    const ids = async () => {
      const all = await Promise.all(['a', 'b', 'c', 'd', 'else', 'noted'].map((id) => keptResponses.find(id)))
      return all.flatMap((each) => each?.id_hash ?? [])
    }
    await keptResponses.keep([row('noted', { created_at: 1 }), own('else', 1, { user_id: 2 }), own('a', 10)])
    await keptResponses.keep([own('b', 11), own('c', 12)], { answers: 2, bytes: 1000 })
    expect(await ids()).toEqual(['b', 'c', 'else', 'noted'])
    await keptResponses.keep([own('d', 13)], { answers: 9, bytes: 20 })
    expect(await ids()).toEqual(['c', 'd', 'else', 'noted'])
    await keptResponses.keep([own('a', 14, { sealed: 'x'.repeat(21) })], { answers: 9, bytes: 20 })
    expect(await ids()).toEqual(['else', 'noted'])
  })

  test('forgets what is older: by one time what providers keep, by another what Weir does', async () => {
    const { keptResponses } = await open()
    await keptResponses.keep([row('a', { created_at: 99 }), row('b', { created_at: 100 }), own('c', 49), own('d', 50)])
    await keptResponses.forget({ provider: 100, own: 50 })
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((id) => keptResponses.find(id)))
    expect(left.map((each) => each?.id_hash)).toEqual([undefined, 'b', undefined, 'd'])
  })

  test('lets all of a user go', async () => {
    const { keptResponses } = await open()
    await keptResponses.keep([row('a'), own('b', 1), own('c', 1, { user_id: 2 })])
    await keptResponses.removeOfUser(1)
    const left = await Promise.all(['a', 'b', 'c'].map((id) => keptResponses.find(id)))
    expect(left.map((each) => each?.id_hash)).toEqual([undefined, undefined, 'c'])
  })
})
