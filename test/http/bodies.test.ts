// Bodies of calls: kept for who asked for it, opened by their key alone, bounded, and forgotten.
import { Decrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { beforeEach, expect, it } from 'vitest'
import type { BodyContent } from '../../core/bodies/stored-body.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('bodies of calls', (weir) => {
  let identity: string
  let recipient: string
  beforeEach(async () => {
    identity = await generateIdentity()
    recipient = await identityToRecipient(identity)
    await weir.addChannel()
    weir.upstream.reply(chatReply('a secret answer', { prompt_tokens: 10, completion_tokens: 10 }))
  })

  async function caller() {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const session = weir.visitor()
    await session.login(ada.user.username, ada.password)
    return { ada, bodies: session.client.bodies, session }
  }
  const open = async (sealed: string): Promise<BodyContent> => {
    const decrypter = new Decrypter()
    decrypter.addIdentity(identity)
    return JSON.parse(await decrypter.decrypt(Buffer.from(sealed, 'base64'), 'text')) as BodyContent
  }
  const count = async () => weir.gateway.ports.storage.bodies.size()

  it('are kept from the moment they are asked for, as they were sent and answered, and opened by their key', async () => {
    const { ada, bodies } = await caller()
    await ada.chat()
    await bodies.setKey({ recipient, token_ids: [ada.token.id] })
    const answer = await ada.chat()
    const [body] = await eventually(
      async () => (await bodies.list()).items,
      (items) => items.length === 1,
    )
    const { sealed } = await bodies.get({ request_id: body!.request_id })
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('a secret answer')
    const content = await open(sealed)
    expect(content).toMatchObject({ request_id: body!.request_id, status: 200, error: '', request: { cut: false } })
    expect(JSON.parse(content.request.text!)).toMatchObject({ model: weir.model })
    expect(content.answer.text).toContain('a secret answer')
    expect(answer.headers['x-request-id']).toBe(body!.request_id)
  })

  it('of another token are not kept, and of a failed call the refusal is', async () => {
    const { ada, bodies, session } = await caller()
    const other = await session.client.tokens.create({ name: 'other', unlimited_quota: true })
    await bodies.setKey({ recipient, token_ids: [other.id] })
    await ada.chat()
    await bodies.setKey({ recipient, every_token: true })
    weir.upstream.reply({ status: 400, body: { error: { message: 'no such thing' } } })
    await ada.chat({ model: 'unknown-model' })
    const [body, ...others] = await eventually(
      async () => (await bodies.list()).items,
      (items) => items.length > 0,
    )
    expect(others).toEqual([])
    const content = await open((await bodies.get({ request_id: body!.request_id })).sealed)
    expect(content).toMatchObject({ error: expect.stringContaining('unknown-model'), answer: { bytes: 0 } })
  })

  it('are cut where they are too long, go where there are too many, and none are kept where the operator says so', async () => {
    const { ada, bodies } = await caller()
    await weir.set('bodies.kilobytes', 1)
    await weir.set('bodies.per_user', 2)
    await bodies.setKey({ recipient, every_token: true })
    for (let times = 0; times < 4; times += 1) {
      await ada.chat({ messages: [{ role: 'user', content: `${times}${'ä'.repeat(2000)}` }] })
      await weir.gateway.ports.storage.bodies.list(ada.user.id, 0)
    }
    const kept = await eventually(
      async () => (await bodies.list()).items,
      (items) => items.length === 2,
    )
    const content = await open((await bodies.get({ request_id: kept[0]!.request_id })).sealed)
    expect(content.request).toMatchObject({ cut: true, text: expect.stringContaining('ää') })
    expect(content.request.bytes).toBeGreaterThan(4000)
    await weir.set('bodies.keep_hours', 0)
    expect(await bodies.list()).toMatchObject({ items: [], hours: 0 })
    await expect(bodies.setKey({ recipient, every_token: true })).rejects.toMatchObject({ code: 'bodies.off' })
  })

  it('are nobody else’s: no administrator sees or asks for them', async () => {
    const { ada, bodies } = await caller()
    await bodies.setKey({ recipient, every_token: true })
    await ada.chat()
    const [body] = await eventually(
      async () => (await bodies.list()).items,
      (items) => items.length === 1,
    )
    const admin = await weir.addVisitor({ patch: { role: 10 } })
    for (const other of [weir.root.client, admin.client]) {
      expect((await other.bodies.list()).items).toEqual([])
      await expect(other.bodies.get({ request_id: body!.request_id })).rejects.toMatchObject({ code: 'bodies.missing' })
      await expect(other.bodies.delete({ request_id: body!.request_id })).rejects.toMatchObject({
        code: 'bodies.missing',
      })
      await expect(other.bodies.setKey({ recipient, token_ids: [ada.token.id] })).rejects.toMatchObject({
        code: 'token.missing',
      })
      await other.bodies.setKey({ recipient, every_token: true })
    }
    await ada.chat()
    await eventually(
      async () => (await bodies.list()).items,
      (items) => items.length === 2,
    )
    expect((await weir.root.client.bodies.list()).items).toEqual([])
  })

  it('go when their owner switches them off, removes one, or leaves', async () => {
    const { ada, bodies, session } = await caller()
    const ofOthers = await count()
    const keep = async (items: number) => {
      await ada.chat()
      return eventually(
        async () => (await bodies.list()).items,
        (found) => found.length === items,
      )
    }
    await bodies.setKey({ recipient, every_token: true })
    const [first] = await keep(1)
    await bodies.delete({ request_id: first!.request_id })
    await expect(bodies.delete({ request_id: first!.request_id })).rejects.toMatchObject({ code: 'bodies.missing' })
    await keep(1)
    await bodies.switchOff()
    expect(await count()).toBe(ofOthers)
    await ada.chat()
    expect(await bodies.list()).toMatchObject({ key: null, items: [] })
    await bodies.setKey({ recipient, every_token: true })
    await keep(1)
    await session.client.users.deleteSelf()
    expect(await count()).toBe(ofOthers)
  })

  it('take a key of age and no other', async () => {
    const { bodies } = await caller()
    for (const wrong of ['', 'age1', 'ssh-ed25519 AAAA', identity, `age1${'q'.repeat(58)}`])
      await expect(bodies.setKey({ recipient: wrong, every_token: true })).rejects.toHaveProperty('code')
  })
})
