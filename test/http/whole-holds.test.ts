// The stricter hold of every kind of call: all that its answer may come to, at the price of what it is made of.
import { expect, it } from 'vitest'
import { CALL_OPERATIONS } from '../../core/models/operation.ts'
import { openaiCompaction } from '../../core/dialects/compaction/openai-compaction.ts'
import { geminiGenerate } from '../../core/index.ts'
import { CALL_PATHS } from '../../http/relay-paths.ts'
import { callerFormats } from '../support/formats.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { soundForm, wave } from '../support/wave.ts'

const CHAT = 'priced-model'
/** What a token of an answer costs, and one of sound that is heard and that is said. Of a prompt: 1. */
const RATE = 4
const HEARD = 2
const SAID = 16
/** Of a picture that is looked at, as the built-in table has it. */
const PICTURE_READ = 2
/** USD, and quota units, of a picture that is sold by the piece. */
const PICTURE = { usd: 0.04, quota: 20_000 }
/** Tokens of half a minute. */
const HALF_A_MINUTE = 500

interface Kind {
  model: string
  body?: object
  form?: () => FormData
  /** Quota units. */
  needed: number
}

const pictures = (model: string) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ model, prompt: 'cats' })) form.set(name, value)
  form.set('image', new File([Buffer.from('no picture')], 'a.png', { type: 'image/png' }))
  return form
}
const sound = (model: string) => () => soundForm(wave({ seconds: 30 }), model)
const heard: Kind[] = [
  { model: 'whisper-1', form: sound('whisper-1'), needed: HALF_A_MINUTE },
  {
    ...{ model: 'gpt-4o-transcribe', form: sound('gpt-4o-transcribe') },
    needed: 1 + HALF_A_MINUTE * HEARD + 30 * 5 * RATE,
  },
]

/** What each format beside chat asks for; every one has to be here. */
const BESIDE_CHAT: Record<string, Kind[]> = {
  'openai-embeddings': [{ model: 'text-embedding-3-small', body: { input: 'x'.repeat(8000) }, needed: 2000 }],
  'openai-moderations': [{ model: 'omni-moderation-latest', body: { input: 'x'.repeat(8000) }, needed: 2000 }],
  rerank: [{ model: 'rerank-v3.5', body: { query: 'x'.repeat(4000), documents: ['y'.repeat(4000)] }, needed: 2000 }],
  'openai-images': [
    { model: 'dall-e-3', body: { prompt: 'cats', n: 3 }, needed: 3 * PICTURE.quota },
    { model: 'gpt-image-1', body: { prompt: 'cats', n: 3, quality: 'low' }, needed: 1 + 3 * 408 * RATE },
    { model: 'gpt-image-1', body: { prompt: 'cats' }, needed: 1 + 6240 * RATE },
  ],
  'openai-image-edits': [
    { model: 'dall-e-3', form: () => pictures('dall-e-3'), needed: PICTURE.quota },
    { model: 'gpt-image-1', form: () => pictures('gpt-image-1'), needed: 1 + 6240 * PICTURE_READ + 6240 * RATE },
  ],
  'openai-image-variations': [{ model: 'dall-e-3', form: () => pictures('dall-e-3'), needed: PICTURE.quota }],
  'openai-speech': [
    { model: 'tts-1', body: { input: 'x'.repeat(2000) }, needed: 2000 },
    { model: 'gpt-4o-mini-tts', body: { input: 'x'.repeat(400) }, needed: 100 + 100 * 16 * SAID },
  ],
  'openai-transcriptions': heard,
  'openai-translations': heard,
}

describeWithGateway('a call that is held for in full', (weir) => {
  it('is of every kind, but for sessions, whose turns are', () => {
    const kinds = new Set(Object.values(CALL_PATHS).map(({ operation }) => operation))
    expect([...kinds, 'realtime'].sort()).toEqual([...CALL_OPERATIONS].sort())
  })

  const names = Object.values(BESIDE_CHAT).flatMap((kinds) => kinds.map(({ model }) => model))

  it('of any format holds all that its answer may come to', async () => {
    const each = <T>(value: T) => Object.fromEntries([CHAT, ...names].map((name) => [name, value]))
    await weir.set('StrictHold', true)
    await weir.set('ModelPrice', { 'dall-e-3': PICTURE.usd })
    await weir.set('ModelRatio', each(1))
    await weir.set('CompletionRatio', each(RATE))
    await weir.set('AudioRatio', each(HEARD))
    await weir.set('AudioCompletionRatio', each(SAID / HEARD))
    for (const type of [1, 14, 24, 34]) await weir.addChannel({ type, models: [CHAT, ...names].join(',') })
    const ada = await weir.addCaller({ quota: 1 })

    const needed = async (path: string, { body, form }: Pick<Kind, 'body' | 'form'>) => {
      const headers = { authorization: `Bearer ${ada.key}` }
      const { status, json } = form
        ? await fetch(weir.url + path, { method: 'POST', headers, body: form() }).then(async (answer) => ({
            status: answer.status,
            json: await answer.json(),
          }))
        : await send('POST', weir.url + path, { headers, body })
      expect(status, path).toBe(403)
      return Number(/(\d+) needed/.exec(json.error.message)?.[1])
    }

    for (const [path, dialect] of [
      ...Object.entries(CALL_PATHS),
      [`/v1beta/models/${CHAT}:generateContent`, geminiGenerate],
    ] as const) {
      const chat = [...callerFormats, openaiCompaction].find((format) => format === dialect)
      for (const kind of chat ? [] : BESIDE_CHAT[dialect.name]!) {
        const told = await needed(path, {
          ...kind,
          ...(kind.body ? { body: { model: kind.model, ...kind.body } } : {}),
        })
        expect(told, `${path} ${kind.model}`).toBe(kind.needed)
      }
      if (!chat) continue
      const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
      for (const max_tokens of [1000, undefined]) {
        const asked = {
          dialect: 'test',
          model: CHAT,
          stream: false,
          messages,
          extra: {},
          ...(max_tokens ? { max_tokens } : {}),
        }
        const { body } = chat.writeModelRequest(asked)
        const head = chat.readRequestHead(body, { model: CHAT })
        const told = await needed(path, { body: JSON.parse(new TextDecoder().decode(body)) as object })
        expect(told, `${path} ${max_tokens}`).toBe(head.prompt_estimate + (head.max_tokens ?? 16_384) * RATE)
      }
    }
    expect(weir.upstream.requests).toHaveLength(0)
  })
})
