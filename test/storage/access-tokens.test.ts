// Access tokens and known browsers in the database.
import { expect, test } from 'vitest'
import { describeWithStorage } from '../support/databases.ts'
import { newUser } from './samples.ts'

const form = { name: 'a script', scope: 'relay', created_time: 100, expired_time: -1 } as const

describeWithStorage('access tokens', (open) => {
  test('are found by hash, belong to one user, and have a name of their own', async () => {
    const { accessTokens, users } = await open()
    await users.insert(newUser())
    await users.insert(newUser({ username: 'bob' }))
    const made = await accessTokens.insert({ ...form, user_id: 1, token_hash: 'one' })
    expect(made).toEqual({ ...form, id: made.id, used_time: 0 })
    const again = accessTokens.insert({ ...form, user_id: 1, token_hash: 'two' })
    await expect(again).rejects.toMatchObject({ code: 'access_token.name_taken' })
    await accessTokens.insert({ ...form, user_id: 2, token_hash: 'two' })
    await accessTokens.used(made.id, 150)
    expect(await accessTokens.find('one')).toEqual({ ...made, user_id: 1, used_time: 150 })
    expect(await accessTokens.find('three')).toBeNull()
    expect(await accessTokens.delete(2, { id: made.id })).toBe(false)
    expect(await accessTokens.delete(1, { name: 'another' })).toBe(false)
    expect(await accessTokens.delete(1, { name: form.name })).toBe(true)
    expect(await accessTokens.listOfUser(1)).toEqual([])
    await accessTokens.deleteOfUser(2)
    expect(await accessTokens.find('two')).toBeNull()
  })

  test('and known browsers end with the password, of one user alone', async () => {
    const { accessTokens, browsers, users } = await open()
    for (const [index, username] of ['ada', 'bob'].entries()) {
      await users.insert(newUser({ username }))
      await accessTokens.insert({ ...form, user_id: index + 1, token_hash: username })
      await browsers.remember(index + 1, { before: '', hash: 'a browser' }, 100)
    }
    await users.update(1, { display_name: 'Ada' })
    expect([await accessTokens.find('ada'), await browsers.knows(1, 'a browser')]).toEqual([expect.anything(), true])
    await users.update(1, { password_hash: 'new' })
    expect([await accessTokens.find('ada'), await browsers.knows(1, 'a browser')]).toEqual([null, false])
    expect([await accessTokens.find('bob'), await browsers.knows(2, 'a browser')]).toEqual([expect.anything(), true])
    for (let n = 0; n < 60; n += 1) await browsers.remember(2, { before: '', hash: `browser ${n}` }, 200 + n)
    expect([await browsers.knows(2, 'a browser'), await browsers.knows(2, 'browser 10')]).toEqual([false, true])
    await browsers.deleteOld(211)
    expect([await browsers.knows(2, 'browser 10'), await browsers.knows(2, 'browser 11')]).toEqual([false, true])
  })
})
