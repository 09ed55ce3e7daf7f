// Tokens of other people, for administrators: seen without their keys, switched and deleted, by rank alone.
import { expect, it } from 'vitest'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'
import { joinTeam } from '../support/teams.ts'

describeWithOwnGateway('the tokens of others', (weir) => {
  it('are listed without keys, switched and deleted by who outranks their owner, and recorded', async () => {
    const ada = await weir.addCaller({ quota: 1_000, token: { name: 'hers', unlimited_quota: true } })
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const { ofUser, manage } = admin.client.tokens
    const { id } = ada.token
    const listed = await ofUser({ user_id: ada.user.id, keyword: 'her' })
    expect(listed).toMatchObject({ total: 1, data: [{ id, name: 'hers', status: 1 }] })
    expect(JSON.stringify(listed)).not.toContain(ada.token.key)
    const off = await manage({ id, action: 'disable' })
    expect(off.status).toBe(2)
    expect(JSON.stringify(off)).not.toContain(ada.token.key)
    expect((await ada.chat()).status).toBe(401)
    expect((await manage({ id, action: 'enable' })).status).toBe(1)
    await manage({ id, action: 'delete' })
    expect(await weir.gateway.ports.storage.tokens.find(id)).toBeNull()
    await expect(manage({ id, action: 'delete' })).rejects.toMatchObject({ code: 'token.missing' })
    const { items } = await weir.root.client.audit.list({ target: String(id) })
    expect(items.map(({ action, user_id }) => [action, user_id])).toEqual(
      ['token.delete', 'token.enable', 'token.disable'].map((action) => [action, admin.user.id]),
    )
  })

  it('are made and changed for them by who outranks them: the key is told once, what was done is recorded', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    const { createOf, updateOf, ofUser } = admin.client.tokens
    const user_id = ada.user.id
    const made = await createOf({ user_id, name: 'given', unlimited_quota: true, budget_day: 500 })
    expect(made).toMatchObject({
      user_id,
      name: 'given',
      unlimited_quota: true,
      budget_day: 500,
      status: 1,
      version: 1,
    })
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const before = await ada.balances()
    expect((await ada.chat({}, { authorization: `Bearer sk-${made.key}` })).status).toBe(200)
    expect((await ada.balances()).quota).toBeLessThan(before.quota)
    const changed = await updateOf({ user_id, id: made.id, name: 'lent', unlimited_quota: false, remain_quota: 7 })
    expect(changed).toMatchObject({ name: 'lent', unlimited_quota: false, remain_quota: 7, budget_day: 500 })
    expect(JSON.stringify([changed, await ofUser({ user_id })])).not.toContain(made.key)
    const recorded = await weir.root.client.audit.list({ target: String(made.id) })
    const items = recorded.items.filter(({ action }) => action.startsWith('token.'))
    expect(items).toMatchObject([
      { action: 'token.update', username: admin.user.username, before: expect.stringContaining('"name":"given"') },
      { action: 'token.create', user_id: admin.user.id, after: expect.stringContaining(`"user_id":${user_id}`) },
    ])
    expect(JSON.stringify(items)).not.toContain(made.key)
    const crew = await weir.root.client.teams.create({ name: 'crew' })
    await expect(createOf({ user_id, name: 'x', team_id: crew.id })).rejects.toMatchObject({ code: 'team.missing' })
    await joinTeam(weir.gateway, { id: crew.id, username: ada.user.username })
    expect(await createOf({ user_id, name: 'x', team_id: crew.id })).toMatchObject({ user_id, team_id: crew.id })
    await expect(createOf({ user_id, name: 'x', group: 'svip' })).rejects.toMatchObject({ code: 'group.disabled' })
    const other = await weir.addUser()
    const wrong = updateOf({ user_id: other.user.id, id: made.id, name: 'taken' })
    await expect(wrong).rejects.toMatchObject({ code: 'token.missing' })
    await weir.root.client.users.manage({ id: other.user.id, action: 'delete' })
    await expect(createOf({ user_id: other.user.id, name: 'x' })).rejects.toMatchObject({ code: 'user.deregistered' })
  })

  it('are nobody’s business but an administrator’s, and never those of somebody as high', async () => {
    const bob = await weir.addVisitor({ quota: 100 })
    const one = await weir.addCaller({ quota: 1_000, token: { name: 'theirs' }, patch: { role: 10 } })
    const other = await weir.addVisitor({ patch: { role: 10 } })
    for (const [visitor, code] of [
      [bob, 'access.forbidden'],
      [other, 'user.edit_denied'],
    ] as const) {
      const { ofUser, manage } = visitor.client.tokens
      const user_id = one.user.id
      await expect(ofUser({ user_id })).rejects.toMatchObject({ code })
      await expect(visitor.client.tokens.createOf({ user_id, name: 'x' })).rejects.toMatchObject({ code })
      const taken = visitor.client.tokens.updateOf({ user_id, id: one.token.id, name: 'x' })
      await expect(taken).rejects.toMatchObject({ code })
      for (const action of ['enable', 'disable', 'delete'] as const)
        await expect(manage({ id: one.token.id, action })).rejects.toMatchObject({ code })
    }
    expect(await weir.gateway.ports.storage.tokens.find(one.token.id)).toMatchObject({ status: 1 })
  })
})
