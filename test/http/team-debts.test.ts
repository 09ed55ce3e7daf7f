// Debts of teams: who is held for them, and what they stop.
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually, MODEL } from '../support/gateway.ts'
import type { Visitor } from '../support/server.ts'
import { joinTeam } from '../support/teams.ts'
import { chatReply } from '../support/upstream.ts'

const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }

describeWithGateway('debts', (weir) => {
  const owing = { code: 'quota.team_owes' }
  const signedIn = async ({ user, password }: Caller): Promise<Visitor> => {
    const visitor = weir.visitor()
    await visitor.login(user.username, password)
    return visitor
  }
  const adjust = (id: number, amount: number) => weir.root.client.teams.adjust({ id, amount })
  const tokenOf = async ({ client }: Visitor, team_id = 0) =>
    (await client.tokens.create({ name: 'one', team_id, unlimited_quota: true })).key

  /** Two teams of ada's, of which bob is a member, and each with a key for each that pays. */
  async function world() {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', usage))
    const [ada, bob] = [await weir.addCaller({ quota: 1_000_000 }), await weir.addCaller({ quota: 100_000 })]
    const [owner, member] = [await signedIn(ada), await signedIn(bob)]
    const [one, two] = [
      await owner.client.teams.create({ name: 'one' }),
      await owner.client.teams.create({ name: 'two' }),
    ]
    for (const { id } of [one, two]) {
      await owner.client.teams.transfer({ id, amount: 200_000 })
      await joinTeam(weir.gateway, { id, username: bob.user.username })
    }
    const keys = {
      own: await tokenOf(owner),
      two: await tokenOf(owner, two.id),
      member: await tokenOf(member),
      'member of two': await tokenOf(member, two.id),
    }
    const call = async (key: string) => {
      const answer = await ada.chat({}, { authorization: `Bearer sk-${key}` })
      return answer.status === 200 ? 200 : `${answer.status} ${answer.json.error.code}`
    }
    const calls = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(keys).map(async ([who, key]) => [who, await call(key)] as const)),
      )
    return { ada, bob, owner, member, one, two, keys, call, calls }
  }

  it('of a team block every token of its owner, making teams and filling others, until that one is filled', async () => {
    const { owner, one, two, calls, ada } = await world()
    await adjust(one.id, -200_001)
    const refused = '403 insufficient_user_quota'
    expect(await calls()).toEqual({ own: refused, two: refused, member: 200, 'member of two': 200 })
    const { status, json } = await owner.send('POST', '/pg/chat/completions', {
      body: { model: MODEL, messages: [{ role: 'user', content: 'hi' }] },
    })
    expect([status, json.error?.code]).toEqual([403, 'insufficient_user_quota'])
    const { teams } = owner.client
    await expect(teams.create({ name: 'three' })).rejects.toMatchObject(owing)
    await expect(teams.transfer({ id: two.id, amount: 5 })).rejects.toMatchObject(owing)
    expect((await teams.transfer({ id: two.id, amount: -5 })).quota).toBeLessThan(200_000)
    expect((await ada.balances()).quota).toBeGreaterThan(0)

    await teams.transfer({ id: one.id, amount: 1 })
    expect(await calls()).toEqual({ own: 200, two: 200, member: 200, 'member of two': 200 })
    expect((await teams.create({ name: 'three' })).quota).toBe(0)
  })

  it('are looked for in the account that pays, also before a large body is read', async () => {
    const { owner, one, two, keys, ada } = await world()
    const large = async (key: string) => {
      const messages = [{ role: 'user', content: 'x'.repeat(100 * 1024) }]
      const { status } = await ada.chat({ messages, max_tokens: 1 }, { authorization: `Bearer sk-${key}` })
      return status
    }
    // A member without money of their own uses the team's, and one with money cannot pay for a team without.
    const eve = await weir.addCaller({ quota: 0 })
    await joinTeam(weir.gateway, { id: two.id, username: eve.user.username })
    await owner.client.teams.transfer({ id: two.id, amount: 300_000 })
    const ofTwo = await tokenOf(await signedIn(eve), two.id)
    expect([await large(ofTwo), await large(eve.token.key)]).toEqual([200, 403])
    await owner.client.teams.transfer({ id: one.id, amount: -200_000 })
    const ofOne = await tokenOf(owner, one.id)
    expect([await large(ofOne), await large(keys.own)]).toEqual([403, 200])
  })

  it('of a person block the tokens of teams that the person has, and new teams', async () => {
    const { bob, member, keys, call, calls } = await world()
    expect(await call(keys['member of two'])).toBe(200)
    const { ledger } = weir.gateway.ports.storage
    expect((await ledger.debts(10, bob.user.id)).items).toEqual([])
    // A call that costs more than the person has: the next one is refused, however soon it comes.
    await weir.set('ModelRatio', { [MODEL]: 1000 })
    await weir.set('PreConsumedQuota', '1')
    expect((await bob.chat({ messages: [{ role: 'user', content: 'x' }] })).status).toBe(200)
    const refused = '403 insufficient_user_quota'
    expect(await call(keys['member of two'])).toBe(refused)
    await weir.set('ModelRatio', { [MODEL]: 1 })
    expect(await calls()).toEqual({ own: 200, two: 200, member: refused, 'member of two': refused })
    expect((await ledger.debts(10, bob.user.id)).items).toHaveLength(1)
    await expect(member.client.teams.create({ name: 'mine' })).rejects.toMatchObject({ code: 'quota.owes' })
  })

  it('keep an owner in the team: neither leaving nor becoming a member ends what is owed', async () => {
    const { owner, one, ada, bob } = await world()
    await joinTeam(weir.gateway, { id: one.id, username: bob.user.username, role: 'owner' })
    await adjust(one.id, -200_001)
    const stays = { code: 'team.owes' }
    await expect(owner.client.teams.removeMember({ id: one.id, user_id: ada.user.id })).rejects.toMatchObject(stays)
    const { username } = ada.user
    await expect(owner.client.teams.putMember({ id: one.id, username, role: 'member' })).rejects.toMatchObject(stays)
    await adjust(one.id, 1)
    await owner.client.teams.removeMember({ id: one.id, user_id: ada.user.id })
  })

  it("hardly come of calls: a team's call holds its longest answer with all that is thought", async () => {
    const { owner, two } = await world()
    const price = { ModelRatio: { thinker: 1 }, CompletionRatio: { thinker: 1 } }
    for (const [key, value] of Object.entries(price)) await weir.set(key, value)
    await weir.addChannel({ models: 'thinker' })
    // No vendor tells how long this model answers: 16,384 tokens, with what it thinks.
    await adjust(two.id, -(await owner.client.teams.get({ id: two.id })).quota + 10_000)
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 16_000, total_tokens: 16_010 }))
    const key = await tokenOf(owner, two.id)
    const ask = (fields: object) =>
      fetch(`${weir.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'thinker', messages: [{ role: 'user', content: 'hi' }], ...fields }),
      })
    const asked = [{}, { max_tokens: 9000, reasoning_effort: 'high' }, { max_tokens: 20_000 }, { stream: true }]
    for (const fields of asked) expect((await ask(fields)).status, JSON.stringify(fields)).toBe(403)
    await weir.set('StrictHold', 'true')
    for (const fields of asked) expect((await ask(fields)).status, `strict ${JSON.stringify(fields)}`).toBe(403)
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 9000, total_tokens: 9010 }))
    expect((await ask({ max_tokens: 9000 })).status).toBe(200)
    expect((await owner.client.teams.get({ id: two.id })).quota).toBeGreaterThanOrEqual(0)
  })

  it('are told: to administrators, to owners, to whoever has an alert, and by the proof of the books', async () => {
    const { one, owner, member } = await world()
    await adjust(one.id, -200_001)
    const proof = await weir.root.client.quota.verify({ account_id: one.id })
    expect(proof).toMatchObject({ ok: true, faults: [] })
    const debt = { account_id: one.id, account_kind: 'team', account_name: 'one', quota: -1 }
    expect(proof.below_zero).toEqual([debt])
    expect((await weir.root.client.quota.verify({})).below_zero).toContainEqual(debt)
    const kinds = async ({ client }: Visitor) => (await client.attention.list()).map(({ kind }) => kind)
    expect(await kinds(weir.root)).toContain('accounts_owe')
    expect(await kinds(owner)).toContain('own_team_owes')
    expect(await kinds(member)).not.toContain('own_team_owes')
    const rule = { name: 'debts', kind: 'accounts_below_zero', threshold: 0 } as const
    expect(await weir.root.client.alerts.create(rule)).toMatchObject(rule)
  })

  it('cannot be spread: one user owns so many teams, also of those made at once', async () => {
    const ada = await weir.addVisitor()
    await weir.set('teams.per_user', '3')
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => ada.client.teams.create({ name: `team ${index}` })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await expect(ada.client.teams.create({ name: 'more' })).rejects.toMatchObject({ code: 'team.too_many' })
    await eventually(
      async () => (await ada.client.teams.list({})).total,
      (total) => total === 3,
    )
  })
})
