// The official client's realtime class against a real server: what passes, and what each turn costs.
import { expect, it, vi } from 'vitest'
import { GatewayError } from '../../core/errors.ts'
import { eventually } from '../support/gateway.ts'
import { recomputed } from '../bills/recompute.ts'
import {
  created,
  describeRealtime,
  done,
  REALTIME_MODEL as MODEL,
  seen,
  turnUsage,
} from '../support/realtime-session.ts'

describeRealtime('a realtime session', ({ weir, provider, addChannel, session }) => {
  /** What usage costs, exactly, in quota units. */
  function exact(used: { text: number; audio: number; cached: number; out: number; spoken: number }): number {
    const { ModelRatio, CompletionRatio, CacheRatio, AudioRatio, AudioCompletionRatio } =
      weir.gateway.settings() as never as Record<string, Record<string, number>>
    const ratio = ModelRatio![MODEL]!
    const audio = AudioRatio![MODEL]!
    const weighed =
      used.text +
      used.audio * audio +
      used.cached * (CacheRatio![MODEL] ?? 1) +
      used.out * CompletionRatio![MODEL]! +
      used.spoken * audio * AudioCompletionRatio![MODEL]!
    return weighed * ratio
  }

  it('passes messages both ways and charges each turn before its end is seen', async () => {
    await addChannel({ model_mapping: `{"${MODEL}":"theirs"}` })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { client, events } = await session(ada)
    client.send({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'Be brief.', model: MODEL } as never,
    })
    await eventually(
      () => provider.heard.length,
      (n) => n === 1,
    )
    expect(provider.heard[0]).toEqual({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'Be brief.', model: 'theirs' },
    })
    expect(provider.asked[0]!.url).toBe('/v1/realtime?model=theirs')
    expect(provider.asked[0]!.headers.authorization).toBe('Bearer upstream-secret-0123456789')
    expect(provider.asked[0]!.headers['openai-beta']).toBeUndefined()

    provider.say(created('r1'))
    provider.say({ type: 'response.output_text.delta', response_id: 'r1', delta: 'Hi', something_new: [1] })
    provider.say(done('r1'))
    await seen(events, 'response.done')
    expect(events[1]).toEqual({
      type: 'response.output_text.delta',
      response_id: 'r1',
      delta: 'Hi',
      something_new: [1],
    })
    const due = Math.round(exact({ text: 120, audio: 80, cached: 0, out: 40, spoken: 60 }))
    expect((await ada.balances()).quota).toBe(1_000_000 - due)

    const [row] = await ada.logs()
    expect(row).toMatchObject({
      model_name: MODEL,
      prompt_tokens: 200,
      completion_tokens: 100,
      quota: due,
      is_stream: true,
    })
    expect(JSON.parse(row!.other)).toMatchObject({
      ws: true,
      audio_input: 80,
      audio_output: 60,
      text_input: 120,
      text_output: 40,
      is_model_mapped: true,
      upstream_model_name: 'theirs',
    })
  })

  it('charges a session as one running total, cached sound apart', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events } = await session(ada)
    const cached = turnUsage({
      input_token_details: {
        text_tokens: 120,
        audio_tokens: 80,
        cached_tokens: 101,
        cached_tokens_details: { text_tokens: 51, audio_tokens: 50 },
      },
    })
    for (const id of ['r1', 'r2', 'r3']) {
      provider.say(created(id))
      provider.say(done(id, cached))
    }
    await eventually(
      () => events.filter(({ type }) => type === 'response.done').length,
      (n) => n === 3,
    )
    const turn = exact({ text: 69, audio: 30, cached: 101, out: 40, spoken: 60 })
    expect((await ada.balances()).quota).toBe(1_000_000 - Math.round(turn * 3))
    const rows = await ada.logs()
    expect(rows).toHaveLength(3)
    expect(rows.reduce((sum, { quota }) => sum + quota, 0)).toBe(Math.round(turn * 3))
    for (const row of rows) expect(recomputed(row)).toBe(row.quota)
    expect(await weir.root.client.quota.verify({})).toMatchObject({ ok: true, faults: [] })
  })

  it('tells turns of equal amount apart: each has its own lines, row and receipt', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events } = await session(ada)
    // So much text was said less as was asked more.
    const { CompletionRatio } = weir.gateway.settings() as never as Record<string, Record<string, number>>
    const asked = 120 + 10 * CompletionRatio![MODEL]!
    const other = turnUsage({
      ...{ input_tokens: asked + 80, output_tokens: 90, total_tokens: asked + 170 },
      input_token_details: { text_tokens: asked, audio_tokens: 80, cached_tokens: 0 },
      output_token_details: { text_tokens: 30, audio_tokens: 60 },
    })
    provider.say(created('r1'))
    provider.say(done('r1'))
    provider.say(created('r2'))
    provider.say(done('r2', other))
    await eventually(
      () => events.filter(({ type }) => type === 'response.done').length,
      (n) => n === 2,
    )
    const charges = (await weir.root.client.quota.entries({ account_id: ada.user.id })).items.slice(0, 2).reverse()
    expect(charges[0]!.amount).toBe(charges[1]!.amount)
    for (const [at, text] of [120, asked].entries()) {
      const { request_id, hold_id } = charges[at]!
      const { receipt } = await weir.root.client.quota.receipt({ receipt_id: hold_id! })
      expect(receipt.lines[0]).toMatchObject({ what: 'input', count: text })
      const bill = await weir.root.client.logs.explain({ request_id: request_id!, receipt_id: hold_id! })
      expect(bill).toMatchObject({
        log: { hold_id, prompt_tokens: text + 80 },
        lines: receipt.lines,
        entry: { hold_id },
      })
    }
  })

  it('goes on while storage cannot tell whether its key is valid, and ends once it is known that it is not', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events, errors, closed } = await session(ada)
    const { storage } = weir.gateway.ports
    vi.spyOn(storage.tokens, 'findPresented').mockRejectedValue(new GatewayError('storage.away'))
    await storage.tokens.update(ada.token.id, { status: 2 })
    await storage.announce({ topic: 'tokens', id: ada.token.id })
    provider.say(created('r1'))
    provider.say(done('r1'))
    await seen(events, 'response.done')
    expect(errors).toEqual([])
    vi.restoreAllMocks()
    expect(await closed).toMatchObject({ code: 1008 })
    expect((await ada.logs()).filter(({ quota }) => quota > 0)).toHaveLength(1)
  })

  it('ends with an error event once the quota is used up', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 2_500 })
    const { events, errors, closed } = await session(ada)
    provider.say(created('r1'))
    provider.say(done('r1'))
    expect(await closed).toMatchObject({ code: 1008 })
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.done', 'error'])
    expect(events[2].error).toMatchObject({ type: 'new_api_error', code: 'insufficient_user_quota' })
    expect(events[2].event_id).toMatch(/^evt_/)
    expect(errors).toHaveLength(1)
    // The work was done: all of it is charged.
    const due = Math.round(exact({ text: 120, audio: 80, cached: 0, out: 40, spoken: 60 }))
    expect((await ada.balances()).quota).toBe(2_500 - due)
    await eventually(
      () => provider.closed,
      (codes) => codes.length === 1,
    )
  })

  it('counts what nobody reports: a turn without usage, and a caller who hangs up in the middle', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { client, events } = await session(ada)
    // Ten seconds of sound at 24 kHz, 16 bits.
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(480_000).toString('base64') })
    await eventually(
      () => provider.heard.length,
      (n) => n === 1,
    )
    provider.say(created('r1'))
    provider.say({ type: 'response.output_audio_transcript.delta', response_id: 'r1', delta: 'x'.repeat(400) })
    provider.say({
      type: 'response.output_audio.delta',
      response_id: 'r1',
      delta: Buffer.alloc(480_000).toString('base64'),
    })
    provider.say(done('r1', null))
    await seen(events, 'response.done')
    const [row] = await ada.logs()
    // By the reference: 10/60 x 100/0.06 heard, 10/60 x 200/0.24 spoken, and 100 tokens of text.
    expect(row).toMatchObject({ prompt_tokens: 277, completion_tokens: 238 })
    expect(JSON.parse(row!.other)).toMatchObject({ ws: true, estimated: true, audio_input: 277, audio_output: 138 })

    provider.say(created('r2'))
    provider.say({ type: 'response.output_text.delta', response_id: 'r2', delta: 'y'.repeat(4000) })
    await seen(events, 'response.output_text.delta')
    client.close()
    const rows = await eventually(
      () => ada.logs(),
      (found) => found.length === 2,
    )
    expect(rows[0]).toMatchObject({ prompt_tokens: 0, completion_tokens: 1000 })
    expect(JSON.parse(rows[0]!.other)).toMatchObject({ cut_short: 'the caller hung up', estimated: true })
  })

  it('costs nothing, and keeps nothing held, where no turn was made', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_100 })
    for (let times = 0; times < 3; times++) {
      const { client, closed } = await session(ada)
      client.close()
      await closed
      await eventually(
        () => provider.sockets().length,
        (n) => n === 0,
      )
    }
    expect((await ada.balances()).quota).toBe(1_100)
    expect(await ada.logs()).toEqual([])
  })

  it('charges transcripts at the price of the model that makes them', async () => {
    await addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { events } = await session(ada)
    provider.say({
      type: 'session.updated',
      session: { audio: { input: { transcription: { model: 'gpt-4o-mini-transcribe' } } } },
    })
    const transcript = {
      type: 'conversation.item.input_audio_transcription.completed',
      transcript: 'hello',
      usage: {
        type: 'tokens',
        total_tokens: 22,
        input_tokens: 13,
        input_token_details: { text_tokens: 0, audio_tokens: 13 },
        output_tokens: 9,
      },
    }
    const charged = { model_name: 'gpt-4o-mini-transcribe', prompt_tokens: 13, completion_tokens: 9 }
    provider.say(transcript)
    await seen(events, transcript.type)
    expect(await ada.logs()).toMatchObject([charged])
    // Two more while an answer is made, whose turn stays open.
    for (const event of [created('r1'), transcript, transcript, done('r1')]) provider.say(event)
    await seen(events, 'response.done')
    const rows = await ada.logs()
    expect(rows).toMatchObject([{ model_name: MODEL }, charged, charged, charged])
    for (const { created_at } of rows) expect(created_at).toBeGreaterThan(0)
    expect((await ada.balances()).used_quota).toBe(rows.reduce((sum, { quota }) => sum + quota, 0))
  })

  it('ends a response where the balance does, by the stricter hold', async () => {
    await addChannel()
    await weir.set('StrictHold', true)
    const ada = await weir.addCaller({ quota: 20_000 })
    const { events, errors, closed } = await session(ada)
    provider.say(created('r1'))
    // Ten seconds of sound each: 138 tokens by their bytes, of 32 quota units.
    const delta = Buffer.alloc(480_000).toString('base64')
    const said = { type: 'response.output_audio.delta', response_id: 'r1', delta }
    const one = 138 * 32
    for (let times = 0; times < 9; times++) provider.say(said)
    expect(await closed).toMatchObject({ code: 1008, reason: expect.stringContaining('Not enough user quota') })
    expect(errors).toHaveLength(1)
    const heard = events.filter(({ type }) => type === said.type).length
    expect(heard).toBeGreaterThan(1)
    expect(heard).toBeLessThan(9)
    const { quota } = await ada.balances()
    expect(quota).toBeLessThan(20_000 - heard * one)
    expect(quota).toBeGreaterThanOrEqual(-one)
    expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
  })
})
