// Tokens of other people, for administrators: seen without their keys, switched and deleted, by rank alone.
import { expect, it } from 'vitest'
import { describeBothGateways } from '../support/gateway.ts'

describeBothGateways('the tokens of others', (weir) => {
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

  it('are nobody’s business but an administrator’s, and never those of somebody as high', async () => {
    const bob = await weir.addVisitor({ quota: 100 })
    const one = await weir.addCaller({ quota: 1_000, token: { name: 'theirs' }, patch: { role: 10 } })
    const other = await weir.addVisitor({ patch: { role: 10 } })
    for (const [visitor, code] of [
      [bob, 'access.forbidden'],
      [other, 'user.edit_denied'],
    ] as const) {
      const { ofUser, manage } = visitor.client.tokens
      await expect(ofUser({ user_id: one.user.id })).rejects.toMatchObject({ code })
      for (const action of ['enable', 'disable', 'delete'] as const)
        await expect(manage({ id: one.token.id, action })).rejects.toMatchObject({ code })
    }
    expect(await weir.gateway.ports.storage.tokens.find(one.token.id)).toMatchObject({ status: 1 })
  })
})
