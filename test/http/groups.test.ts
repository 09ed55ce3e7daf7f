// Groups by the API: made, changed and taken out, in all settings that name them.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('groups', (weir) => {
  const groups = () => weir.root.client.groups
  const named = async (name: string) => (await groups().table()).find((row) => row.name === name)
  const NOBODY = { users: 0, tokens: 0, channels: 0 }
  /** What a test makes of the tables of groups goes with it. */
  const keep = async () => {
    for (const key of [
      'GroupRatio',
      'UserUsableGroups',
      'GroupGroupRatio',
      'TopupGroupRatio',
      'RateLimits',
      'FallbackModels',
    ])
      await weir.set(key, weir.gateway.settings()[key as 'GroupRatio'])
  }

  it('are made and changed field by field, each in its table', async () => {
    await keep()
    expect(await groups().set({ name: 'gilt', description: 'For gilt' })).toEqual({
      ...{ name: 'gilt', ratio: 1, description: 'For gilt', special: {} },
      ...NOBODY,
    })
    await groups().set({ name: 'gilt', ratio: 0.5, special: { vip: 0.25, svip: 0.1 } })
    expect(await groups().set({ name: 'gilt', special: { svip: null } })).toMatchObject({
      ...{ ratio: 0.5, description: 'For gilt', special: { vip: 0.25 } },
    })
    expect(weir.gateway.settings()).toMatchObject({
      GroupRatio: { default: 1, gilt: 0.5 },
      UserUsableGroups: { gilt: 'For gilt' },
      GroupGroupRatio: { vip: { gilt: 0.25 } },
    })
    expect((await groups().common()).gilt).toEqual({ desc: 'For gilt', ratio: 0.5 })
    await groups().set({ name: 'gilt', description: null, ratio: 0 })
    expect(await groups().common()).not.toHaveProperty('gilt')
    const last = (await weir.root.client.audit.list({ page_size: 20 })).items
    expect(last).toContainEqual(
      expect.objectContaining({ action: 'setting.change', target: 'GroupRatio', username: 'root' }),
    )
    for (const name of ['', ' ', 'a,b', 'a\nb', '__proto__'])
      await expect(groups().set({ name, ratio: 1 })).rejects.toMatchObject({ status: 200 })
    await expect(groups().set({ name: 'gilt', ratio: -1 })).rejects.toMatchObject({ code: 'request.invalid' })
    // Whoever asks at the same time does not undo the other.
    await Promise.all(Array.from({ length: 5 }, (_, at) => groups().set({ name: `metal ${at}`, ratio: at })))
    expect((await groups().list()).filter((name) => name.startsWith('metal'))).toHaveLength(5)
  })

  it('that are used are taken out only where that is said, out of every setting that names them', async () => {
    await keep()
    await groups().set({ name: 'gilt', ratio: 2, description: 'For gilt', special: { vip: 1 } })
    await weir.set('GroupGroupRatio', { vip: { gilt: 1 }, gilt: { default: 3 } })
    await weir.set('TopupGroupRatio', { gilt: 2 })
    await weir.set('RateLimits', { 'users_of:gilt': { max_concurrent: 1 }, default: { max_concurrent: 100 } })
    await weir.set('FallbackModels', { gilt: { a: ['b'] } })
    const ada = await weir.addCaller({ quota: 1_000_000, patch: { group: 'gilt' } })
    await weir.addChannel({ group: 'default,gilt' })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const own = await weir.addToken(ada.user, { group: 'gilt' })
    expect((await ada.chat({}, { authorization: `Bearer sk-${own.key}` })).status).toBe(200)
    expect(await named('gilt')).toMatchObject({ users: 1, tokens: 1, channels: 1 })
    await expect(groups().remove({ name: 'gilt' })).rejects.toMatchObject({
      ...{ code: 'group.in_use', message: expect.stringContaining('1 users, 1 tokens and 1 channels') },
    })
    expect(await groups().remove({ name: 'gilt', in_use: true })).toMatchObject({ name: 'gilt', ratio: 2, users: 1 })
    expect(await named('gilt')).toBeUndefined()
    const { GroupRatio, UserUsableGroups, GroupGroupRatio, TopupGroupRatio, RateLimits, FallbackModels } =
      weir.gateway.settings()
    const left = { GroupRatio, UserUsableGroups, GroupGroupRatio, TopupGroupRatio, FallbackModels }
    expect(JSON.stringify([left, RateLimits])).not.toContain('gilt')
    expect(RateLimits).toEqual({ default: { max_concurrent: 100 } })
    // Its users go on as everybody does, tokens that name it do not.
    expect((await ada.chat()).status).toBe(200)
    expect((await ada.chat({}, { authorization: `Bearer sk-${own.key}` })).status).toBe(403)
    await expect(groups().remove({ name: 'gilt' })).rejects.toMatchObject({ code: 'group.missing' })
    await groups().set({ name: 'silver' })
    expect(await groups().remove({ name: 'silver' })).toMatchObject({ name: 'silver', ...NOBODY })
  })

  it('are for administrators to change', async () => {
    const bob = await weir.addVisitor()
    const asked = await Promise.allSettled([
      bob.client.groups.table(),
      bob.client.groups.set({ name: 'mine', ratio: 0 }),
      bob.client.groups.remove({ name: 'vip' }),
    ])
    for (const one of asked) expect(one).toMatchObject({ reason: { code: 'access.forbidden' } })
  })
})
