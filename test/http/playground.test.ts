// The playground: a signed-in user chats without a token, in a group of theirs, and their quota pays.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

describeWithGateway('the playground', (weir) => {
  type Visitor = Awaited<ReturnType<typeof weir.addVisitor>>
  const chat = (visitor: Visitor | null, body: object = {}, headers: Record<string, string> = {}) =>
    send('POST', `${weir.url}/pg/chat/completions`, {
      headers: visitor ? { cookie: visitor.cookie(), 'new-api-user': String(visitor.user.id), ...headers } : headers,
      body: { model: weir.model, messages: [{ role: 'user', content: 'Hello' }], ...body },
    })
  const quotaOf = async ({ user }: Visitor) => (await weir.gateway.ports.storage.users.find(user.id))!.quota

  it('answers and charges the user, in the group that the body names', async () => {
    await weir.set('GroupRatio', { default: 1, vip: 2 })
    await weir.set('UserUsableGroups', { default: 'all', vip: 'some' })
    await weir.addChannel({ group: 'vip' })
    const ada = await weir.addVisitor({ quota: 1_000_000 })
    const before = await quotaOf(ada)
    weir.upstream.reply(chatReply('Hello', usage))
    const answer = await chat(ada, { group: 'vip', temperature: 0.5 })
    expect(answer.status).toBe(200)
    expect(answer.json.choices[0].message.content).toBe('Hello')
    expect(weir.upstream.requests[0]!.json).toEqual({
      model: weir.model,
      messages: [{ role: 'user', content: 'Hello' }],
      temperature: 0.5,
    })
    const due = weir.due({ prompt: 100, completion: 20 }, { group: 2 })
    expect(before - (await quotaOf(ada))).toBe(due)
    const { items } = await weir.gateway.ports.storage.logs.list({ user_id: ada.user.id }, { offset: 0, limit: 10 })
    expect(items.find(({ type }) => type === 2)).toMatchObject({
      token_id: 0,
      token_name: 'playground-vip',
      group: 'vip',
      quota: due,
    })
  })

  it('streams', async () => {
    await weir.addChannel()
    const ada = await weir.addVisitor({ quota: 1_000_000 })
    weir.upstream.reply(chatStream(['Hel', 'lo'], usage))
    const answer = await chat(ada, { stream: true, group: '' })
    expect(answer.text).toContain('"content":"Hel"')
    expect(answer.text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  })

  it('passes on a limit of the answer, and takes 0 for none', async () => {
    await weir.addChannel()
    const ada = await weir.addVisitor({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', usage))
    await chat(ada, { max_tokens: 0, temperature: 0 })
    await chat(ada, { max_tokens: 7 })
    const [unlimited, limited] = weir.upstream.requests.map(({ json }) => json)
    expect(unlimited).toMatchObject({ temperature: 0 })
    expect(unlimited).not.toHaveProperty('max_tokens')
    expect(limited).toMatchObject({ max_tokens: 7 })
  })

  it('is for who is signed in, and came by their own page', async () => {
    await weir.addChannel()
    const ada = await weir.addVisitor({ quota: 1_000_000 })
    const caller = await weir.addCaller({ quota: 1_000_000 })
    const status = async (...asked: Parameters<typeof chat>) => (await chat(...asked)).status
    expect(await status(null)).toBe(401)
    expect(await status(null, {}, { authorization: `Bearer ${caller.key}` })).toBe(401)
    expect(await status(ada, {}, { 'new-api-user': '1' })).toBe(401)
    expect(await status(ada, {}, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status(ada, { group: 'not-mine' })).toBe(403)
    expect(await status(ada, { model: '' })).toBe(400)
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('refuses who cannot pay', async () => {
    await weir.addChannel()
    const ada = await weir.addVisitor({ quota: 0 })
    expect((await chat(ada)).json.error.code).toBe('insufficient_user_quota')
  })
})
