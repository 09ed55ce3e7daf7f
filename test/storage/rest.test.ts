// Settings, sessions, and the row of the set-up.
import { expect, test } from 'vitest'
import { describeWithStorage } from '../support/databases.ts'
import { newUser } from './samples.ts'

describeWithStorage('the settings store', (open) => {
  test('gives every value in clear, whether it is kept encrypted or not', async () => {
    const { settings } = await open()
    await settings.save([
      { key: 'SMTPToken', value: 'mail-password', secret: true },
      { key: 'SystemName', value: 'Weir', secret: false },
    ])
    expect(await settings.all()).toEqual([
      { key: 'SMTPToken', value: 'mail-password' },
      { key: 'SystemName', value: 'Weir' },
    ])
  })

  test('overwrites, also when a setting becomes secret', async () => {
    const { settings } = await open()
    await settings.save([{ key: 'SystemName', value: 'one', secret: false }])
    await settings.save([{ key: 'SystemName', value: 'two', secret: true }])
    await settings.save([])
    expect(await settings.all()).toEqual([{ key: 'SystemName', value: 'two' }])
  })
})

describeWithStorage('the session store', (open) => {
  test('keeps sessions until they are deleted, end, or their user loses all', async () => {
    const { sessions, users } = await open()
    await users.insert(newUser())
    await users.insert(newUser({ username: 'bob' }))
    const times = { created_time: 100, used_time: 100, proven_time: 100, expires_time: 200 }
    const session = { id_hash: 'one', user_id: 1, ip: '203.0.113.1', user_agent: 'a browser', ...times }
    await sessions.insert(session)
    await sessions.insert({ ...session, id_hash: 'two', expires_time: 300 })
    await sessions.insert({ ...session, id_hash: 'three', user_id: 2, expires_time: 300 })
    await sessions.insert({ ...session, id_hash: 'four', expires_time: 300 })
    expect(await sessions.find('one')).toEqual({ ...session, id: expect.any(Number) })
    const [first] = await sessions.listOfUser(1, 250)
    expect(first?.id_hash).toBe('four')
    await sessions.update(first!.id, { used_time: 150, proven_time: 160 })
    expect(await sessions.find('four')).toMatchObject({ used_time: 150, proven_time: 160, created_time: 100 })
    expect(await sessions.deleteOne(2, first!.id)).toBe(false)
    await sessions.deleteExpired(201)
    expect(await sessions.find('one')).toBeNull()
    await sessions.delete('two')
    expect(await sessions.find('two')).toBeNull()
    await sessions.insert({ ...session, id_hash: 'five', expires_time: 300 })
    await sessions.deleteOfUser(1, first!.id)
    expect(await sessions.find('five')).toBeNull()
    expect(await sessions.find('four')).not.toBeNull()
    expect(await sessions.deleteOne(1, first!.id)).toBe(true)
    await sessions.insert({ ...session, id_hash: 'four', expires_time: 300 })
    await sessions.deleteOfUser(1)
    expect(await sessions.find('four')).toBeNull()
    expect(await sessions.find('three')).not.toBeNull()
  })
})

describeWithStorage('the set-up store', (open) => {
  test('lets one of two racing set-ups win', async () => {
    const { setup } = await open()
    expect(await setup.find()).toBeNull()
    const results = await Promise.all([
      setup.insert({ version: '1', initialized_at: 10 }),
      setup.insert({ version: '2', initialized_at: 20 }),
    ])
    expect(results.filter(Boolean)).toHaveLength(1)
    expect(await setup.find()).toEqual(
      results[0] ? { version: '1', initialized_at: 10 } : { version: '2', initialized_at: 20 },
    )
  })
})

describeWithStorage('announcing', (open) => {
  test('reaches every listener of this process at once', async () => {
    const storage = await open()
    const seen: string[] = []
    storage.onChange(({ topic, id }) => void seen.push(`first ${topic} ${id}`))
    storage.onChange(({ topic, id }) => void seen.push(`second ${topic} ${id}`))
    await storage.announce({ topic: 'users', id: 7 })
    expect(seen).toEqual(['first users 7', 'second users 7'])
  })
})
