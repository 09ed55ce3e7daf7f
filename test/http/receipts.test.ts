// Receipts and explanations of real calls: who gets them, what they say, and that nobody else does.
import { toFile } from 'openai'
import { expect, it, vi } from 'vitest'
import { nodeSignatures } from '../../core/adapters/signatures.ts'
import { matchesLedger, readLedgerState, verifyCheckpoint, verifyReceipt } from '../../core/quota/receipts.ts'
import { addTo } from '../storage/samples.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { createVisitor, type HttpAnswer, type Visitor } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 }
const RECEIPT = 'x-weir-receipt'

describeWithOwnGateway('receipts and explanations', (weir) => {
  const signedIn = async ({ user, password }: Caller): Promise<Visitor> => {
    const visitor = createVisitor(weir.url)
    await visitor.login(user.username, password)
    return visitor
  }
  const receiptOf = ({ headers }: HttpAnswer) => String(headers[RECEIPT])
  const requestOf = ({ headers }: HttpAnswer) => String(headers['x-request-id'])

  async function called(body: object = {}) {
    const channel = await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply('stream' in body ? chatStream(['Hel', 'lo'], usage) : chatReply('Hello', usage))
    const answer = await ada.chat(body)
    expect(answer.status).toBe(200)
    return { ada, channel, answer, own: await signedIn(ada), due: weir.due({ prompt: 1000, completion: 200 }) }
  }

  it.each([{}, { stream: true }])('every answer names its receipt: %j', async (body) => {
    const { ada, answer, own, due } = await called(body)
    const signed = await own.client.quota.receipt({ receipt_id: receiptOf(answer) })
    const key = await weir.visitor().client.quota.receiptKey()
    expect(verifyReceipt(nodeSignatures, signed, key.public_key)).toMatchObject({ ok: true })
    expect(signed.receipt).toMatchObject({
      ...{ receipt_id: receiptOf(answer), request_id: requestOf(answer), user_id: ada.user.id, token_id: ada.token.id },
      ...{ model: weir.model, amount: due, balance_after: 1_000_000 - due, issuer: 'Weir', key_id: key.key_id },
      usage: { prompt_tokens: 1000, completion_tokens: 200 },
    })
    expect(signed.receipt.lines.length).toBeGreaterThan(0)
    const { items } = await own.client.quota.entriesSelf({})
    expect(items[0]).toMatchObject({ hash: signed.receipt.entry_hash, request_id: requestOf(answer), kind: 'charge' })
    expect(await weir.root.client.quota.verify({})).toMatchObject({ ok: true, faults: [] })
  })

  it('what a call was bought for stands in its entry and its row, for administrators alone', async () => {
    const channel = await weir.addChannel()
    const prices = { [channel.id]: { [weir.model]: { model_ratio: 0.5, completion_ratio: 2 } } }
    await weir.set('ChannelPrice', prices)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply('Hello', usage))
    const answer = await ada.chat()
    const request_id = requestOf(answer)
    const due = weir.due({ prompt: 1000, completion: 200 })
    const { root } = weir
    expect((await root.client.logs.explain({ request_id })).entry).toMatchObject({ cost: 700, amount: -due })
    const [row] = (await root.client.logs.list({ request_id })).items
    expect(JSON.parse(row!.other)).toMatchObject({ admin_info: { cost: 700, margin: due - 700 } })
    const own = await signedIn(ada)
    const explained = await own.client.logs.explainSelf({ request_id })
    expect(explained.entry).toMatchObject({ cost: null, amount: -due })
    const texts = [
      explained,
      await own.client.quota.entriesSelf({}),
      await own.client.logs.listSelf({ request_id }),
      await own.client.quota.receipt({ receipt_id: receiptOf(answer) }),
    ].map((told) => JSON.stringify(told))
    for (const told of texts) {
      expect(told).not.toMatch(/"cost":\d|margin/)
      expect(told).not.toContain(':700')
    }
    expect(await root.client.quota.verify({})).toMatchObject({ ok: true, faults: [] })
  })

  it('a checkpoint proves later that no entry before it was changed, with nothing but the public key', async () => {
    await called()
    const { storage } = weir.gateway.ports
    const { quota } = weir.root.client
    const kept = await quota.checkpoint({})
    const key = await weir.visitor().client.quota.receiptKey()
    expect(verifyCheckpoint(nodeSignatures, JSON.parse(JSON.stringify(kept)), key.public_key)).toMatchObject({
      ok: true,
    })
    const other = nodeSignatures.publicKeyOf(nodeSignatures.createSigningKey())
    expect(verifyCheckpoint(nodeSignatures, kept, other)).toMatchObject({ reason: 'other_key' })
    for (const [field, value] of Object.entries(kept.checkpoint)) {
      const changed = typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}0` : []
      const forged = { ...kept, checkpoint: { ...kept.checkpoint, [field]: changed } }
      expect(verifyCheckpoint(nodeSignatures, forged, key.public_key).ok, field).toBe(false)
    }

    // The books go on, and still say the same up to there.
    const { ada } = await called()
    const { last_entry } = kept.checkpoint
    expect((await quota.checkpoint({})).checkpoint.last_entry).toBeGreaterThan(last_entry)
    const again = async () => matchesLedger(kept.checkpoint, (await quota.checkpoint({ last_entry })).checkpoint)
    expect(await again()).toBe(true)
    // Whoever has the key of the chain may write an entry that holds; the checkpoint does not.
    await addTo(storage, ada.user.id, 5)
    expect(await again()).toBe(true)
    const standing = await storage.entries.audit((books) => readLedgerState(books, last_entry, nodeSignatures.digest))
    expect(matchesLedger(kept.checkpoint, { ...kept.checkpoint, ...standing })).toBe(true)
    for (const [part, change] of [
      ['entries', 1],
      ['accounts', 1],
      ['accounts_hash', 'x'],
    ] as const)
      expect(matchesLedger(kept.checkpoint, { ...kept.checkpoint, ...standing, [part]: change })).toBe(false)
    expect((await weir.visitor().send('GET', '/api/quota/checkpoint')).status).not.toBe(200)
  })

  it("shows it to administrators; somebody else's is as if missing", async () => {
    const { answer } = await called()
    const receipt_id = receiptOf(answer)
    expect((await weir.root.client.quota.receipt({ receipt_id })).receipt.receipt_id).toBe(receipt_id)
    const bob = await weir.addVisitor()
    await expect(bob.client.quota.receipt({ receipt_id })).rejects.toMatchObject({ code: 'receipt.missing' })
    await expect(bob.client.quota.receipt({ receipt_id: 'none' })).rejects.toMatchObject({ code: 'receipt.missing' })
    await expect(weir.visitor().client.quota.receipt({ receipt_id })).rejects.toMatchObject({
      code: 'access.login_required',
    })
  })

  it('an answer that was refused or failed has none', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect((await ada.chat()).headers[RECEIPT]).toBeUndefined()
    await weir.addChannel()
    weir.upstream.reply({ status: 500, body: { error: { message: 'broken' } } })
    const failed = await ada.chat()
    expect(failed.status).toBeGreaterThanOrEqual(500)
    expect(failed.headers[RECEIPT]).toBeUndefined()
  })

  it('pages may read the header', async () => {
    const { ada } = await called()
    const answer = await ada.chat({}, { origin: 'https://page.example' })
    expect(answer.headers['access-control-expose-headers']).toContain(RECEIPT)
  })

  /** A receipt and an explanation that say all of the charge, though there is no log row. */
  async function explainedWithoutLog({ answer, own, due }: Awaited<ReturnType<typeof called>>) {
    const { receipt } = await own.client.quota.receipt({ receipt_id: receiptOf(answer) })
    expect(receipt).toMatchObject({ amount: due, model: weir.model, request_id: requestOf(answer) })
    expect(receipt.usage).toEqual({ prompt_tokens: 1000, completion_tokens: 200 })
    expect(receipt.lines.map(({ what }) => what)).toEqual(['input', 'output'])
    const bill = await weir.root.client.logs.explain({ request_id: requestOf(answer) })
    expect(bill).toMatchObject({ log: null, lines: receipt.lines, quota: due, entry: { amount: -due } })
    expect(bill.price_version).toEqual(expect.any(String))
    const { items } = await own.client.quota.entriesSelf({})
    expect(items[0]).toMatchObject({ model_name: weir.model })
  }

  it('without logs a charge is explained all the same, and its receipt has its lines', async () => {
    await weir.set('LogConsumeEnabled', false)
    await explainedWithoutLog(await called())
  })

  it('stay whole when the log is cleaned', async () => {
    const made = await called()
    const { storage, clock } = weir.gateway.ports
    await storage.logs.deleteOutdated({ before: clock.now() }, 1000)
    await explainedWithoutLog(made)
  })

  it('fall back to the log row for charges of the time before entries said so', async () => {
    const { answer, own, due } = await called()
    const { storage } = weir.gateway.ports
    const entry = await storage.entries.findByHold(receiptOf(answer))
    vi.spyOn(storage.entries, 'findByHold').mockResolvedValueOnce({ ...entry!, detail: null })
    const { receipt } = await own.client.quota.receipt({ receipt_id: receiptOf(answer) })
    expect(receipt).toMatchObject({ amount: due, model: weir.model, usage: { prompt_tokens: 1000 } })
    expect(receipt.lines.map(({ what }) => what)).toEqual(['input', 'output'])
  })

  it('tell pictures, seconds and characters', async () => {
    await weir.addChannel({ models: 'dall-e-3,whisper-1,tts-1' })
    const ada = await weir.addCaller({ quota: 10_000_000 })
    const own = await signedIn(ada)
    const usageOfLast = async () => {
      const { items } = await own.client.quota.entriesSelf({})
      return (await own.client.quota.receipt({ receipt_id: items[0]!.hold_id! })).receipt
    }
    weir.upstream.reply({ body: { created: 1, data: [{ url: 'https://pictures.test/1.png' }] } })
    await ada.openai.images.generate({ model: 'dall-e-3', prompt: 'a fish' })
    expect(await usageOfLast()).toMatchObject({ usage: { image_count: 1 }, lines: [{ what: 'image', count: 1 }] })
    weir.upstream.reply({ body: { text: 'hello', usage: { type: 'duration', seconds: 7 } } })
    const file = await toFile(Buffer.alloc(100), 'speech.wav', { type: 'audio/wav' })
    await ada.openai.audio.transcriptions.create({ model: 'whisper-1', file })
    expect(await usageOfLast()).toMatchObject({ usage: { audio_seconds: 7 } })
    weir.upstream.reply({ headers: { 'content-type': 'audio/mpeg' }, body: 'sound' })
    const sound = await ada.openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'twelve chars' })
    await sound.arrayBuffer()
    expect(await usageOfLast()).toMatchObject({ usage: { characters: 12 } })
  })

  it('explains a call to administrators with its channels, and to its user without', async () => {
    const { channel, answer, own, due } = await called()
    const request_id = requestOf(answer)
    const bill = await weir.root.client.logs.explain({ request_id })
    expect(bill).toMatchObject({
      ...{ request_id, quota: due, group_ratio: 1, balance_before: 1_000_000, balance_after: 1_000_000 - due },
      channels: [{ id: channel.id, name: channel.name }],
      log: { channel: channel.id, model_name: weir.model },
      ...{ asked_model: null, affinity: false, price_version: expect.any(String) as string },
      entry: { hold_id: receiptOf(answer), request_id },
    })
    expect(Number(bill.exact) + Number(bill.rounding)).toBeCloseTo(due, 9)
    expect(bill.lines.reduce((sum, { quota }) => sum + Number(quota), 0)).toBeCloseTo(Number(bill.exact), 9)

    const mine = await own.client.logs.explainSelf({ request_id })
    expect(mine).toMatchObject({ quota: due, channels: [], log: { channel: 0, channel_name: '' } })
    expect(mine.lines).toEqual(bill.lines)
    expect(JSON.stringify(mine)).not.toContain('admin_info')
    const bob = await weir.addVisitor()
    await expect(bob.client.logs.explainSelf({ request_id })).rejects.toMatchObject({ code: 'log.missing' })
    await expect(bob.client.logs.explain({ request_id })).rejects.toMatchObject({ code: 'access.forbidden' })
    await expect(bob.client.quota.entries({ account_id: 1 })).rejects.toMatchObject({ code: 'access.forbidden' })
    await expect(weir.root.client.logs.explain({ request_id: '' })).rejects.toBeDefined()
  })

  it('explains a call that failed: nothing was charged', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ status: 500, body: { error: { message: 'broken' } } })
    const bill = await weir.root.client.logs.explain({ request_id: requestOf(await ada.chat()) })
    expect(bill).toMatchObject({ entry: null, quota: 0, balance_before: null, log: { type: 5 } })
    expect(bill.channels).toHaveLength(1)
  })

  it('names in a statement what was called, and who moved what', async () => {
    const { ada, answer, due } = await called()
    const page = await weir.root.client.quota.entries({ account_id: ada.user.id })
    expect(page).toMatchObject({
      ...{ account_id: ada.user.id, account_name: ada.user.username, total: 2, opening_balance: 0 },
      closing_balance: 1_000_000 - due,
    })
    expect(page.items[0]).toMatchObject({ model_name: weir.model, request_id: requestOf(answer), amount: -due })
    await expect(weir.root.client.quota.entries({ account_id: 99_999 })).rejects.toMatchObject({ code: 'user.missing' })
  })
})
