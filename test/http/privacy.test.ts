// The rights of a person about stored data, from the person's view: a copy, and erasure.
import { expect, it } from 'vitest'
import { describeWithGateway, eventually, UPSTREAM_KEY, type TestGateway } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

interface Copy {
  user_id: number
  data: Record<string, Record<string, unknown>[]>
}

async function copyOf(visitor: Visitor, path: string): Promise<Copy> {
  const answer = await visitor.send('GET', path)
  expect(answer.status).toBe(200)
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="?weir-data-\d+\.json/)
  return JSON.parse(answer.text) as Copy
}

const everyLog = async ({ gateway }: TestGateway) =>
  (await gateway.ports.storage.logs.newest({}, 1000)).map(({ user_id, username }) => ({ user_id, username }))

describeWithGateway('data of a person', (weir) => {
  const privacy = () => weir.root.client.privacy

  async function callers() {
    await weir.addChannel()
    weir.upstream.reply(chatReply('an answer', { prompt_tokens: 10, completion_tokens: 10 }))
    const [ada, bob] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 1_000_000 })]
    for (const caller of [ada, bob, ada]) await caller.chat()
    await eventually(
      () => ada.logs(),
      (rows) => rows.length === 2,
    )
    return { ada, bob }
  }

  it('is given to them as one file, without what is secret or others’', async () => {
    const { ada, bob } = await callers()
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    const own = await copyOf(session, '/api/user/self/data')
    expect(own.user_id).toBe(ada.user.id)
    expect(own.data['users']).toMatchObject([{ id: ada.user.id, username: ada.user.username, role: 1 }])
    expect(own.data['tokens']).toMatchObject([{ id: ada.token.id, unlimited_quota: true }])
    expect(own.data['sessions']!.length).toBeGreaterThan(0)
    const charges = own.data['ledger_entries']!.filter(({ kind }) => kind === 'charge')
    expect(charges).toHaveLength(2)
    const calls = own.data['logs']!.filter(({ type }) => type === 2)
    expect(calls.map(({ quota }) => quota)).toEqual(charges.map(({ amount }) => -Number(amount)))
    const text = JSON.stringify(own)
    for (const secret of [ada.key, ada.key.slice(3), UPSTREAM_KEY, 'admin_info', bob.user.username])
      expect(text).not.toContain(secret)
    // The same for who administrates, and for nobody else.
    const theirs = await copyOf(weir.root, `/api/user/${ada.user.id}/data`)
    expect(theirs.data['logs']).toEqual(own.data['logs'])
    expect(Object.keys(theirs.data)).toEqual(Object.keys(own.data))
    expect((await session.send('GET', `/api/user/${bob.user.id}/data`)).json).toMatchObject({ success: false })
    await expect(session.client.privacy.forget({ user_id: ada.user.id })).rejects.toThrow()
  })

  it('goes: names at once, rows of the log soon; the ledger stays whole, and others keep theirs', async () => {
    const { ada, bob } = await callers()
    const id = ada.user.id
    const entries = await weir.root.client.quota.entries({ account_id: id, page_size: 100 })
    await privacy().forget({ user_id: id })
    const state = await eventually(
      () => privacy().forgetting({ user_id: id }),
      ({ left }) => left === 0,
    )
    expect(state.asked_at).toBeGreaterThan(0)
    expect(state.done_at).toBe(0)

    const rows = await everyLog(weir)
    expect(rows.filter((row) => row.user_id === id || row.username === ada.user.username)).toEqual([])
    expect(rows.filter(({ user_id }) => user_id === bob.user.id).length).toBeGreaterThan(0)
    expect((await ada.chat()).status).toBe(403)
    expect((await weir.visitor().login(ada.user.username, ada.password)).json).toMatchObject({ code: 'login.failed' })
    const { items } = await weir.root.client.users.search({ keyword: String(id), group: '' })
    expect(items.find((user) => user.id === id)).toMatchObject({ username: `forgotten@${id}`, email: '' })
    expect((await weir.root.client.quota.entries({ account_id: id, page_size: 100 })).items).toEqual(entries.items)
    expect(await weir.root.client.quota.verify()).toMatchObject({ ok: true })
    const [audit] = (await weir.root.client.audit.list({ action: 'user.forget', target: String(id) })).items
    expect(audit).toMatchObject({ username: 'root', before: '', after: '' })
    // The name is free again, and is somebody else's then.
    const other = await weir.root.client.users.create({ username: ada.user.username, password: 'long enough' })
    expect(other.id).not.toBe(id)
    // Asked once more, of who is forgotten already.
    await privacy().forget({ user_id: id })
    expect((await weir.root.client.users.get({ id: other.id })).username).toBe(ada.user.username)
  })

  it('of the super administrator stays, and of a team’s only owner until the team has another', async () => {
    await expect(privacy().forget({ user_id: weir.rootId })).rejects.toMatchObject({ code: 'user.root_delete' })
    await expect(privacy().forget({ user_id: 4_000 })).rejects.toMatchObject({ code: 'user.missing' })
    const owner = await weir.addVisitor()
    const team = await owner.client.teams.create({ name: `crew of ${owner.user.id}` })
    await expect(privacy().forget({ user_id: owner.user.id })).rejects.toMatchObject({ code: 'user.owns_team' })
    expect(await privacy().forgetting({ user_id: owner.user.id })).toEqual({ asked_at: 0, done_at: 0, left: 0 })
    await owner.client.teams.delete({ id: team.id })
    expect((await privacy().forget({ user_id: owner.user.id })).asked_at).toBeGreaterThan(0)
  })

  it('is gone altogether after a day, with what was written meanwhile', async () => {
    const { ada } = await callers()
    const { storage } = weir.gateway.ports
    await storage.transaction((within) => within.privacy.forget(ada.user, Math.floor(Date.now() / 1000) - 100_000))
    const left = await eventually(
      async () => {
        await privacy().forget({ user_id: ada.user.id })
        return privacy().forgetting({ user_id: ada.user.id })
      },
      ({ done_at }) => done_at > 0,
    )
    expect(left.left).toBe(0)
    expect((await storage.privacy.pending()).map(({ user_id }) => user_id)).not.toContain(ada.user.id)
  })
})
