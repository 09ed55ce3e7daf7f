// Teams over HTTP: who may do what, who pays, and that no limit is overspent by calls at once.
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually, MODEL } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'
import { joinTeam } from '../support/teams.ts'
import { chatReply } from '../support/upstream.ts'

const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }

describeWithGateway('teams', (weir) => {
  let names = 0
  const fresh = () => `team ${(names += 1)}`
  const signedIn = async ({ user, password }: Caller): Promise<Visitor> => {
    const visitor = weir.visitor()
    await visitor.login(user.username, password)
    return visitor
  }
  const due = () => weir.due({ prompt: 1000, completion: 200 })

  /** A team that ada owns, with quota, of which bob is a member with a token of it. */
  async function together({ quota = 100_000, ...limits }: { quota?: number; budget_day?: number } = {}) {
    const [ada, bob] = [await weir.addCaller({ quota: quota + 50_000 }), await weir.addCaller({ quota: 1000 })]
    const [owner, member] = [await signedIn(ada), await signedIn(bob)]
    const { id } = await owner.client.teams.create({ name: fresh() })
    await owner.client.teams.transfer({ id, amount: quota })
    await joinTeam(weir.gateway, { id, username: bob.user.username, ...limits })
    const token = await member.client.tokens.create({ name: 'ours', team_id: id, unlimited_quota: true })
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', usage))
    const call = () => bob.chat({}, { authorization: `Bearer sk-${token.key}` })
    const balance = async () => (await owner.client.teams.get({ id })).quota
    return { id, ada, bob, owner, member, token, call, balance }
  }
  const proven = async () => expect(await weir.root.client.quota.verify({})).toMatchObject({ ok: true, faults: [] })

  it('pay for the calls of their tokens; entry, receipt and log say who made them', async () => {
    const { id, bob, owner, member, token, call, balance } = await together()
    const answer = await call()
    expect(answer.status).toBe(200)
    expect(await balance()).toBe(100_000 - due())
    expect(await bob.balances()).toMatchObject({ quota: 1000, used_quota: 0, request_count: 0 })
    expect(await owner.client.teams.get({ id })).toMatchObject({ used_quota: due(), request_count: 1 })

    const page = await owner.client.quota.entries({ account_id: id })
    expect(page).toMatchObject({ account_id: id, account_kind: 'team', closing_balance: 100_000 - due() })
    expect(page.items[0]).toMatchObject({ by_user_id: bob.user.id, by_username: bob.user.username, token_id: token.id })
    const receipt_id = String(answer.headers['x-weir-receipt'])
    for (const { client } of [owner, member, weir.root]) {
      const { receipt } = await client.quota.receipt({ receipt_id })
      expect(receipt).toMatchObject({ user_id: bob.user.id, account_id: id, amount: due(), model: weir.model })
    }
    const { items, total } = await owner.client.teams.logs({ id })
    expect([total, items[0]]).toMatchObject([1, { user_id: bob.user.id, token_id: token.id, quota: due(), channel: 0 }])
    await proven()
  })

  it('show their tokens to owners and administrators, without keys, and to nobody else', async () => {
    const { id, bob, owner, member, token } = await together()
    const stranger = await weir.addVisitor()
    for (const { client } of [owner, weir.root]) {
      const { items, total } = await client.tokens.ofTeam({ id })
      expect([total, items]).toMatchObject([1, [{ id: token.id, name: 'ours', username: bob.user.username }]])
      expect(JSON.stringify(items)).not.toContain(token.key)
    }
    await expect(member.client.tokens.ofTeam({ id })).rejects.toMatchObject({ code: 'team.owner_only' })
    await expect(stranger.client.tokens.ofTeam({ id })).rejects.toMatchObject({ code: 'team.missing' })
    await expect(weir.root.client.tokens.ofTeam({ id: 999_999 })).rejects.toMatchObject({ code: 'team.missing' })
    await member.client.tokens.delete({ id: token.id })
    expect((await owner.client.tokens.ofTeam({ id })).total).toBe(0)
  })

  it('are refused what their balance does not cover, though the member has enough', async () => {
    const { call, balance } = await together({ quota: 5 })
    const answer = await call()
    expect([answer.status, answer.json.error.code]).toEqual([403, 'insufficient_user_quota'])
    expect(await balance()).toBe(5)
  })

  it('let a member spend no more than the limit, by calls at once', async () => {
    const { id, owner, member, call, balance } = await together({ budget_day: 0 })
    await call()
    const spent = 100_000 - (await balance())
    // So much is left for three more, held in full each: what was charged before the limit counts.
    await weir.set('StrictHold', 'true')
    const { username } = (await member.client.users.self()) as { username: string }
    await owner.client.teams.putMember({ id, username, budget_day: spent * 4 })
    const answers = await Promise.all(Array.from({ length: 12 }, call))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]!.json.error).toMatchObject({ code: 'budget_exceeded' })
    expect(100_000 - (await balance())).toBeLessThanOrEqual(spent * 4)
    const [, limited] = (await owner.client.teams.get({ id })).members
    expect(limited).toMatchObject({ budget_day: spent * 4, used_day: 100_000 - (await balance()) })
    await proven()
  })

  it('know owners, who manage, members, who use, and nobody else, and have names of their own', async () => {
    const { id, ada, bob, owner, member } = await together()
    const eve = (await weir.addVisitor()).client.teams
    const missing = { code: 'team.missing' }
    await expect(eve.get({ id })).rejects.toMatchObject(missing)
    await expect(eve.transfer({ id, amount: -5 })).rejects.toMatchObject(missing)
    await expect((await weir.addVisitor()).client.tokens.create({ name: 'x', team_id: id })).rejects.toMatchObject(
      missing,
    )
    expect((await eve.list({})).items).toEqual([])
    await expect(eve.list({ all: 'true' })).rejects.toMatchObject({ code: 'access.forbidden' })

    const { teams, quota } = member.client
    expect((await teams.list({})).items).toMatchObject([{ id, quota: 100_000 }])
    const denied = { code: 'team.owner_only' }
    await expect(teams.update({ id, name: 'mine' })).rejects.toMatchObject(denied)
    await expect(teams.transfer({ id, amount: -5 })).rejects.toMatchObject(denied)
    await expect(teams.putMember({ id, username: bob.user.username, role: 'owner' })).rejects.toMatchObject(denied)
    await expect(teams.removeMember({ id, user_id: ada.user.id })).rejects.toMatchObject(denied)
    await expect(teams.logs({ id })).rejects.toMatchObject(denied)
    await expect(teams.delete({ id })).rejects.toMatchObject(denied)
    await expect(teams.adjust({ id, amount: 5 })).rejects.toMatchObject({ code: 'access.forbidden' })
    await expect(quota.entries({ account_id: id })).rejects.toMatchObject({ code: 'access.forbidden' })
    await expect(weir.root.client.teams.transfer({ id, amount: -5 })).rejects.toMatchObject(denied)
    expect((await weir.root.client.teams.adjust({ id, amount: 5 })).quota).toBe(100_005)
    expect((await weir.root.client.teams.list({ all: 'true', page_size: 100 })).items).toContainEqual(
      expect.objectContaining({ id }),
    )
    expect((await owner.client.teams.update({ id, name: fresh() })).id).toBe(id)
    const { name } = await owner.client.teams.get({ id })
    expect((await owner.client.teams.create({ name })).name).toBe(name)
    for (const wrong of ['', '  ', 'x'.repeat(31)])
      await expect(owner.client.teams.create({ name: wrong })).rejects.toMatchObject({ code: 'team.name' })
    const rows = (await weir.root.client.audit.list({ target: String(id) })).items.map(({ action }) => action)
    expect(rows).toEqual(expect.arrayContaining(['team.create', 'team.transfer', 'team.rename']))
  })

  it('take quota from an owner and give it back, never what calls hold or nobody has', async () => {
    const { id, ada, owner, balance } = await together()
    const short = { code: 'quota.insufficient' }
    await expect(owner.client.teams.transfer({ id, amount: 50_001 })).rejects.toMatchObject(short)
    await expect(owner.client.teams.transfer({ id, amount: -100_001 })).rejects.toMatchObject(short)
    const moves = await Promise.allSettled(
      Array.from({ length: 8 }, () => owner.client.teams.transfer({ id, amount: 20_000 })),
    )
    const outcomes = moves.map((move) =>
      move.status === 'fulfilled' ? 'moved' : (move.reason as { code: string }).code,
    )
    expect(outcomes.sort()).toEqual(['moved', 'moved', ...Array.from({ length: 6 }, () => short.code)])
    expect([await balance(), (await ada.balances()).quota]).toEqual([140_000, 10_000])
    await owner.client.teams.transfer({ id, amount: -140_000 })
    expect([await balance(), (await ada.balances()).quota]).toEqual([0, 150_000])
    await proven()
  })

  it('answer an owner who fills them as done, though the owner is put out before the answer', async () => {
    const { id, ada, owner } = await together()
    const other = await weir.addCaller()
    await joinTeam(weir.gateway, { id, username: other.user.username, role: 'owner' })
    const { storage } = weir.gateway.ports
    const announce = vi.spyOn(storage, 'announce').mockImplementationOnce(async (notice) => {
      await weir.root.client.teams.removeMember({ id, user_id: ada.user.id })
      return storage.announce(notice)
    })
    onTestFinished(() => announce.mockRestore())
    expect(await owner.client.teams.transfer({ id, amount: 20_000 })).toMatchObject({ id, quota: 120_000 })
    expect((await ada.balances()).quota).toBe(30_000)
    await expect(owner.client.teams.get({ id })).rejects.toMatchObject({ code: 'team.missing' })
  })

  it('end with an empty account; so do their tokens, and those of who leaves', async () => {
    const { id, ada, bob, owner, member, call } = await together()
    expect((await call()).status).toBe(200)
    await member.client.teams.removeMember({ id, user_id: bob.user.id })
    expect((await call()).status).toBe(401)
    await joinTeam(weir.gateway, { id, username: bob.user.username })
    // What had ended stays so: a member who comes back makes tokens anew.
    expect((await call()).status).toBe(401)

    await expect(owner.client.teams.delete({ id })).rejects.toMatchObject({ code: 'team.not_empty' })
    const last = { code: 'team.last_owner' }
    await expect(owner.client.teams.removeMember({ id, user_id: ada.user.id })).rejects.toMatchObject(last)
    await expect(
      owner.client.teams.putMember({ id, username: ada.user.username, role: 'member' }),
    ).rejects.toMatchObject(last)
    await expect(weir.root.client.users.manage({ id: ada.user.id, action: 'delete' })).rejects.toMatchObject({
      code: 'user.owns_team',
    })
    await weir.root.client.users.manage({ id: bob.user.id, action: 'delete' })
    expect((await owner.client.teams.get({ id })).members).toHaveLength(1)

    const { quota } = await owner.client.teams.get({ id })
    await owner.client.teams.transfer({ id, amount: -quota })
    const { name } = await owner.client.teams.get({ id })
    await owner.client.teams.delete({ id })
    await expect(owner.client.teams.get({ id })).rejects.toMatchObject({ code: 'team.missing' })
    expect((await owner.client.teams.create({ name })).quota).toBe(0)
    await proven()
  })

  it.each([
    ['that hold quota', {}],
    ['that hold next to nothing', { ModelPrice: { [MODEL]: 0.000001 } }],
  ])('are not deleted under open calls %s, however empty they are', async (_, settings: Record<string, object>) => {
    for (const [key, value] of Object.entries(settings)) await weir.set(key, value)
    const { id, owner, call } = await together()
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    weir.upstream.reply(async () => {
      await finished
      return chatReply('Hello', usage)
    })
    const open = call()
    await eventually(
      () => weir.upstream.requests.length,
      (asked) => asked === 1,
    )
    await weir.root.client.teams.adjust({ id, amount: -100_000 })
    await expect(owner.client.teams.delete({ id })).rejects.toMatchObject({ code: 'team.not_empty' })
    finish()
    expect((await open).status).toBe(200)
    const { quota } = await owner.client.teams.get({ id })
    if (quota !== 0) {
      await expect(owner.client.teams.delete({ id })).rejects.toMatchObject({ code: 'team.not_empty' })
      await weir.root.client.teams.adjust({ id, amount: -quota })
    }
    await owner.client.teams.delete({ id })
    await proven()
  })
})
