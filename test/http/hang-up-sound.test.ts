// A client disconnects from an answer of sound, which ends at once: sound is counted by its bytes, in every format, and
// values that are known from the request are charged as requested.
import { expect, it } from 'vitest'
import { countSoundTokens } from '../../core/pricing/media-tokens.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import type { TestReply } from '../support/upstream.ts'
import { soundForm, wave } from '../support/wave.ts'

const MODEL = 'speaking-model'
const RATIO = { answer: 4, heard: 2, said: 16 }
/** Two seconds as it is, twelve packed. */
const BYTES = 96_000
const data = Buffer.alloc(BYTES, 1).toString('base64')
const raw = countSoundTokens('pcm16', 2 * BYTES, 'output')
const packed = countSoundTokens('unknown', 2 * BYTES, 'output')

const frame = (event: object, name?: string) => `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(event)}\n\n`
const typed = (event: { type: string } & Record<string, unknown>) => frame(event, event.type)
const twice = (event: string) => [event, event]

const chatSound = frame({ choices: [{ index: 0, delta: { audio: { id: 'a', data } }, finish_reason: null }] })
const geminiSound = frame({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data } }] },
    },
  ],
})
const speechSound = frame({ type: 'speech.audio.delta', audio: data })
const messages = [{ role: 'user', content: 'Speak' }]
const spoken = { model: MODEL, input: 'Speak', voice: 'alloy' }

interface Left {
  name: string
  path: string
  /** Of the channel. */
  type?: number
  model?: string
  body: object | (() => FormData)
  chunks: (string | Uint8Array)[]
  /** Of the provider's answer, where it is none of events. */
  headers?: Record<string, string>
  /** What the row says beside the prompt. */
  row: object
  other?: object
}

const says = (tokens: number) => ({ row: { completion_tokens: tokens }, other: { audio_output: tokens } })
/** What is no text is at least a token of it. */
const beside = (tokens: number) => ({ row: { completion_tokens: tokens + 1 }, other: { audio_output: tokens } })

const LEFT: Left[] = [
  {
    ...{ name: 'a chat', path: '/v1/chat/completions', chunks: twice(chatSound), ...beside(raw) },
    body: { model: MODEL, messages, stream: true },
  },
  {
    ...{ name: 'Gemini’s', type: 24, path: `/v1beta/models/${MODEL}:streamGenerateContent?alt=sse` },
    ...{ body: { contents: [{ role: 'user', parts: [{ text: 'Speak' }] }] }, chunks: twice(geminiSound) },
    row: { completion_tokens: raw + 2 },
    other: { audio_output: raw },
  },
  {
    ...{ name: 'Gemini’s in a chat', type: 24, path: '/v1/chat/completions', chunks: twice(geminiSound) },
    body: { model: MODEL, messages, stream: true },
    row: { completion_tokens: raw + 2 },
    other: { audio_output: raw },
  },
  {
    ...{ name: 'a response', path: '/v1/responses', body: { model: MODEL, input: 'Speak', stream: true } },
    chunks: twice(typed({ type: 'response.audio.delta', delta: data })),
    ...beside(raw),
  },
  {
    ...{ name: 'speech in events', path: '/v1/audio/speech', chunks: twice(speechSound), ...beside(packed) },
    body: { ...spoken, stream_format: 'sse' },
  },
  {
    ...{ name: 'speech in events as it is', path: '/v1/audio/speech', chunks: twice(speechSound), ...beside(raw) },
    body: { ...spoken, stream_format: 'sse', response_format: 'pcm' },
  },
  {
    ...{ name: 'speech in bytes', path: '/v1/audio/speech', body: { ...spoken, response_format: 'pcm' } },
    headers: { 'content-type': 'audio/pcm' },
    chunks: twice('x'.repeat(BYTES)),
    ...says(raw),
  },
  {
    ...{ name: 'speech that is sold by the character', path: '/v1/audio/speech', model: 'tts-1' },
    ...{ body: { ...spoken, model: 'tts-1', stream_format: 'sse' }, chunks: twice(speechSound) },
    row: { quota: 'Speak'.length },
  },
  {
    ...{ name: 'a transcript that is sold by the second', path: '/v1/audio/transcriptions', model: 'whisper-1' },
    body: () => {
      const form = soundForm(wave({ seconds: 60 }), 'whisper-1')
      form.set('stream', 'true')
      return form
    },
    chunks: twice(frame({ type: 'transcript.text.delta', delta: 'Hello there' })),
    row: { quota: 1000 },
  },
  {
    ...{ name: 'pictures', path: '/v1/images/generations', model: 'gpt-image-1' },
    body: { model: 'gpt-image-1', prompt: 'cats', n: 2, quality: 'low', stream: true, partial_images: 1 },
    chunks: twice(frame({ type: 'image_generation.partial_image', b64_json: data })),
    row: { completion_tokens: 2 * 408 },
  },
]

describeWithGateway('whoever leaves', (weir) => {
  it.each(LEFT)(
    '$name pays for what came',
    async ({ path, type = 1, model = MODEL, body, chunks, headers, row, other }) => {
      await weir.set('ModelRatio', { [model]: 1 })
      await weir.set('CompletionRatio', { [model]: RATIO.answer })
      await weir.set('AudioRatio', { [model]: RATIO.heard })
      await weir.set('AudioCompletionRatio', { [model]: RATIO.said / RATIO.heard })
      await weir.addChannel({ type, models: model, setting: JSON.stringify({ hang_up: 'abort' }) })
      const ada = await weir.addCaller({ quota: 10_000_000 })
      const reply: TestReply = {
        chunks,
        stall: chunks.length,
        headers: headers ?? { 'content-type': 'text/event-stream' },
      }
      weir.upstream.reply(reply)
      const leaving = new AbortController()
      const json = typeof body === 'function' ? undefined : { 'content-type': 'application/json' }
      const answer = await fetch(weir.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.key}`, ...json },
        body: typeof body === 'function' ? body() : JSON.stringify(body),
        signal: leaving.signal,
      })
      expect(answer.status).toBe(200)
      // Of both pieces most has come.
      const sent = chunks.reduce((sum, { length }) => sum + length, 0)
      let received = 0
      for (const reader = answer.body!.getReader(); received < sent * 0.9;)
        received += (await reader.read()).value!.length
      leaving.abort()
      const [made] = await eventually(
        () => ada.logs(),
        (rows) => rows.length === 1,
      )
      expect(made).toMatchObject({ type: 2, ...row })
      if (other) expect(JSON.parse(made!.other)).toMatchObject(other)
      expect((await ada.balances()).quota).toBe(10_000_000 - made!.quota)
      await weir.upstream.idle(5000)
      expect((await weir.gateway.client.quota.verify()).open_holds).toBe(0)
    },
  )
})
