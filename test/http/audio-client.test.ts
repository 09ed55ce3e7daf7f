// The official client's sound against a real server: speech as bytes and as events, and transcripts in every shape.
import { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { formIn } from '../support/form.ts'

/** Silence: 8000 samples a second of a byte each. */
function wave(seconds: number): Buffer {
  const size = Math.round(seconds * 8000)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size, 128)])
}

const event = (type: string, more: object) => `data: ${JSON.stringify({ type, ...more })}\n\n`

describeWithGateway('sound', (weir) => {
  async function charged<T>(ada: Caller, ask: () => Promise<T>): Promise<{ value: T; quota: number }> {
    const before = await ada.balances()
    const value = await ask()
    return { value, quota: before.quota - (await ada.balances()).quota }
  }
  const audio = { 'content-type': 'audio/mpeg' }

  describe('speech', () => {
    const say = (ada: Caller, more: object = {}) =>
      ada.openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Grüße 👋', ...more })

    it('passes as bytes, charged by the character', async () => {
      await weir.addChannel({ models: 'tts-1' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 251))
      weir.upstream.reply({ headers: audio, chunks: [bytes.subarray(0, 10), bytes.subarray(10)] })
      const { value, quota } = await charged(ada, async () => {
        const response = await say(ada)
        return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
      })
      expect(value.type).toBe('audio/mpeg')
      expect(value.bytes.equals(bytes)).toBe(true)
      expect(weir.upstream.requests[0]).toMatchObject({
        path: '/v1/audio/speech',
        json: { model: 'tts-1', voice: 'alloy', input: 'Grüße 👋' },
      })
      // Seven code points at ratio 7.5: 52.5, rounded.
      expect(quota).toBe(53)
      expect((await ada.logs())[0]).toMatchObject({ prompt_tokens: 7, completion_tokens: 0, quota: 53 })
    })

    it('comes as events, charged by their report', async () => {
      await weir.addChannel({ models: 'gpt-4o-mini-tts' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const usage = { input_tokens: 14, output_tokens: 101, total_tokens: 115 }
      const chunks = [event('speech.audio.delta', { audio: 'AAAA' }), event('speech.audio.done', { usage })]
      weir.upstream.reply({ headers: { 'content-type': 'text/event-stream' }, chunks })
      const { value, quota } = await charged(ada, async () =>
        (await say(ada, { model: 'gpt-4o-mini-tts', stream_format: 'sse' })).text(),
      )
      expect(value).toBe(chunks.join(''))
      // 14 tokens and 101, twenty times as dear, at ratio 0.3.
      expect(quota).toBe(Math.round((14 + 101 * 20) * 0.3))
    })

    it.each([
      // Half a minute of a packed format at 8000 bytes a second; of plain samples it is five seconds.
      ['audio/mpeg', 416],
      ['audio/pcm', 69],
    ])('as %s that reports nothing, of a model sold by tokens, is charged by its length', async (type, tokens) => {
      await weir.addChannel({ models: 'gpt-4o-mini-tts' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const sound = Buffer.alloc(240_000, 7)
      weir.upstream.reply({
        headers: { 'content-type': type },
        chunks: [sound.subarray(0, 1000), sound.subarray(1000)],
      })
      const { value, quota } = await charged(ada, async () =>
        (await say(ada, { model: 'gpt-4o-mini-tts' })).arrayBuffer(),
      )
      expect(value.byteLength).toBe(sound.length)
      const [row] = await ada.logs()
      expect(row).toMatchObject({ completion_tokens: tokens })
      expect(JSON.parse(row!.other)).toHaveProperty('estimated')
      expect(quota).toBe(Math.round((row!.prompt_tokens + tokens * 20) * 0.3))
    })

    it('that breaks off is cut off for the caller too, and what was said is charged', async () => {
      await weir.addChannel({ models: 'tts-1' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ headers: audio, chunks: ['some', 'more', 'never'], gap_ms: 20, reset: 2 })
      await expect(say(ada).then((response) => response.arrayBuffer())).rejects.toThrow()
      const [row] = await eventually(
        () => ada.logs(),
        (rows) => rows.length > 0,
      )
      expect(row).toMatchObject({ type: 2, quota: 53 })
      expect(JSON.parse(row!.other)).toHaveProperty('cut_short')
    })

    it('that is refused is free, and tried elsewhere first', async () => {
      await weir.addChannel({ models: 'tts-1', priority: 9 })
      await weir.addChannel({ models: 'tts-1' })
      await weir.set('RetryTimes', 1)
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ status: 500, body: { error: { message: 'no voice' } } })
      await expect(say(ada)).rejects.toMatchObject({ status: 500 })
      expect(weir.upstream.requests).toHaveLength(2)
      await expect(say(ada, { input: '' })).rejects.toMatchObject({ status: 400 })
      expect((await ada.balances()).quota).toBe(1_000_000)
    })

    it('whose caller hangs up lets the provider go, on a channel that is to be told at once', async () => {
      await weir.addChannel({ models: 'tts-1', setting: JSON.stringify({ hang_up: 'abort' }) })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ headers: audio, chunks: ['some'], stall: 1 })
      const stop = new AbortController()
      const response = await fetch(`${weir.url}/v1/audio/speech`, {
        method: 'POST',
        signal: stop.signal,
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'tts-1', input: 'hello', voice: 'alloy' }),
      })
      await response.body!.getReader().read()
      stop.abort()
      await weir.upstream.idle()
      const [row] = await eventually(
        () => ada.logs(),
        (rows) => rows.length > 0,
      )
      expect(row!.quota).toBe(38)
    })
  })

  describe('transcripts', () => {
    const hear = async (ada: Caller, more: object = {}, seconds = 61.2) =>
      ada.openai.audio.transcriptions.create({
        model: 'whisper-1',
        file: await toFile(wave(seconds), 'speech.wav', { type: 'audio/wav' }),
        ...more,
      } as { model: string; file: File })

    it('are charged by the seconds that are reported', async () => {
      await weir.addChannel({ models: 'whisper-1' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: { text: 'hello', usage: { type: 'duration', seconds: 7 } } })
      const { value, quota } = await charged(ada, () => hear(ada, { temperature: 0.2 }))
      expect(value).toMatchObject({ text: 'hello' })
      expect(quota).toBe(351)
      const [request] = weir.upstream.requests
      expect(request).toMatchObject({ path: '/v1/audio/transcriptions' })
      const form = await formIn(request!)
      expect([form.get('model'), form.get('temperature')]).toEqual(['whisper-1', '0.2'])
      const file = form.get('file') as File
      expect([file.name, file.type]).toEqual(['speech.wav', 'audio/wav'])
      expect(Buffer.from(await file.arrayBuffer()).equals(wave(61.2))).toBe(true)
    })

    it.each([
      ['text', 'text/plain; charset=utf-8', 'hello\n'],
      ['vtt', 'text/vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n'],
      ['json', 'application/json', '{"text":"hello"}'],
    ])('as %s are charged by the length of the file', async (response_format, type, body) => {
      await weir.addChannel({ models: 'whisper-1' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ headers: { 'content-type': type }, body })
      const { value, quota } = await charged(ada, () => hear(ada, { response_format }))
      expect(value).toEqual(response_format === 'json' ? { text: 'hello' } : body)
      // 61.2 seconds are 62 begun, 1033 tokens at ratio 3.
      expect(quota).toBe(3099)
      const [row] = await ada.logs()
      expect(row!.prompt_tokens).toBe(1033)
      expect(JSON.parse(row!.other)).toMatchObject({ estimated: true })
    })

    it('tell their length themselves', async () => {
      await weir.addChannel({ models: 'whisper-1' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: { text: 'hello', duration: 6.5, segments: [] } })
      const granular = { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] }
      expect((await charged(ada, () => hear(ada, granular))).quota).toBe(351)
      const form = await formIn(weir.upstream.requests[0]!)
      expect(form.getAll('timestamp_granularities[]')).toEqual(['word', 'segment'])
    })

    it('are held for by the length of the file', async () => {
      await weir.addChannel({ models: 'whisper-1' })
      const ada = await weir.addCaller({ quota: 3_000 })
      await expect(hear(ada)).rejects.toMatchObject({ status: 403 })
      expect(weir.upstream.requests).toHaveLength(0)
    })

    it('come as a stream, charged by tokens', async () => {
      await weir.addChannel({ models: 'gpt-4o-transcribe' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const usage = {
        type: 'tokens',
        input_tokens: 100,
        input_token_details: { text_tokens: 10, audio_tokens: 90 },
        output_tokens: 20,
      }
      weir.upstream.reply({
        headers: { 'content-type': 'text/event-stream' },
        chunks: [
          event('transcript.text.delta', { delta: 'hel' }),
          event('transcript.text.done', { text: 'hello', usage }),
          'data: [DONE]\n\n',
        ],
      })
      const { value, quota } = await charged(ada, async () => {
        const types: string[] = []
        const stream = await hear(ada, { model: 'gpt-4o-transcribe', stream: true })
        for await (const { type } of stream as unknown as AsyncIterable<{ type: string }>) types.push(type)
        return types
      })
      expect(value).toEqual(['transcript.text.delta', 'transcript.text.done'])
      // Text, sound 2.4 times as dear, and the transcript 4 times, at ratio 1.25.
      expect(quota).toBe(Math.round((10 + 90 * 2.4 + 20 * 4) * 1.25))
    })

    it('are translated at their own address', async () => {
      await weir.addChannel({ models: 'whisper-1' })
      const ada = await weir.addCaller({ quota: 1_000_000 })
      weir.upstream.reply({ body: { text: 'hello', usage: { type: 'duration', seconds: 60 } } })
      const file = await toFile(wave(1), 'speech.wav')
      const { quota } = await charged(ada, () => ada.openai.audio.translations.create({ model: 'whisper-1', file }))
      expect(quota).toBe(3000)
      expect(weir.upstream.requests[0]!.path).toBe('/v1/audio/translations')
    })
  })
})
