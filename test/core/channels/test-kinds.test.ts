// A channel test asks a model in its own kind, and a test that no person watches makes neither pictures nor films.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import { CALL_OPERATIONS, isTaskOperation, OPERATIONS, type Operation } from '../../../core/models/operation.ts'
import type { Conversation } from '../../../core/ports/upstream.ts'
import { allProviders } from '../../../core/providers/index.ts'
import { getSampleKey } from '../../support/channel-keys.ts'
import { newChannel } from '../../storage/samples.ts'
import { refusal, whole } from '../../support/memory-upstream.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
let admin: Caller
let root: Caller
beforeEach(async () => {
  gateway = await openMemoryGateway()
  admin = await gateway.as('admin')
  root = await gateway.as('root')
  gateway.upstream.reply(answerAnything)
})
afterEach(() => gateway.close())

const answerAnything = () => whole('Hello', { prompt_tokens: 1, completion_tokens: 1 })
const SANDBOX = 1000
const MINUTE_MS = 60_000

async function addChannel(fields: Parameters<typeof newChannel>[0] = {}): Promise<number> {
  const before = new Set((await gateway.storage.channels.all()).map(({ id }) => id))
  await gateway.storage.channels.insert([newChannel({ base_url: 'http://p.test', ...fields })])
  await gateway.storage.announce({ topic: 'channels', id: 0 })
  return (await gateway.storage.channels.all()).find(({ id }) => !before.has(id))!.id
}
const runTest = (id: number, model = '') => gateway.ask(admin, 'channels.test', { id, model })
const asked = () => gateway.upstream.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)
const readLastTest = async (id: number) => (await gateway.storage.channelTests.ofChannel(id))[0]

/** What the smallest question of each operation looks like at OpenAI, and a model of that kind. */
const KINDS: Record<Operation, [model: string, request: string] | undefined> = {
  chat: ['gpt-4o-mini', 'POST /v1/chat/completions'],
  embeddings: ['text-embedding-3-small', 'POST /v1/embeddings'],
  moderation: ['omni-moderation-latest', 'POST /v1/moderations'],
  rerank: ['bge-reranker-v2-m3', 'POST /v1/rerank'],
  images: ['dall-e-3', 'POST /v1/images/generations'],
  speech: ['tts-1', 'POST /v1/audio/speech'],
  transcription: ['whisper-1', 'POST /v1/audio/transcriptions'],
  video: ['sora-2', 'GET /v1/videos/0'],
  // Over a WebSocket, below.
  realtime: undefined,
  // At providers of their own, below.
  drawing: undefined,
  music: undefined,
}

describe('a test of a channel', () => {
  test.each(OPERATIONS.flatMap((operation) => (KINDS[operation] ? [[operation, ...KINDS[operation]] as const] : [])))(
    'asks a model for %s in its own kind: %s by %s',
    async (_, model, request) => {
      await runTest(await addChannel({ models: model }))
      await runTest(await addChannel({ models: 'std', model_mapping: JSON.stringify({ std: model }) }))
      expect(asked()).toEqual([request, request])
    },
  )

  test('opens a session of a realtime model, says nothing in it, and reads what the provider says first', async () => {
    const closed: number[] = []
    const urls: string[] = []
    const open = (event: object): void => {
      gateway.upstream.connect = async ({ url }) => {
        urls.push(url)
        return { conversation: oneMessage(event, closed) }
      }
    }
    const id = await addChannel({ models: 'gpt-realtime' })
    open({ type: 'session.created' })
    await runTest(id)
    open({ type: 'error', error: { message: 'The model does not exist', code: 'model_not_found' } })
    await expect(runTest(id)).rejects.toThrow(/does not exist/)
    expect(urls).toEqual(Array(2).fill('ws://p.test/v1/realtime?model=gpt-realtime'))
    expect(closed).toEqual([1000, 1000])
    expect(asked()).toEqual([])
  })

  test('sends the smallest picture, and sound with a voice or of half a second', async () => {
    await runTest(await addChannel({ models: 'gpt-image-1' }))
    await runTest(await addChannel({ models: 'tts-1' }))
    await runTest(await addChannel({ models: 'whisper-1' }))
    const [picture, speech, hearing] = gateway.upstream.requests
    expect(picture?.json).toMatchObject({ model: 'gpt-image-1', size: '1024x1024', quality: 'low' })
    expect(speech?.json).toMatchObject({ model: 'tts-1', voice: 'alloy' })
    const parts: Uint8Array[] = []
    for await (const part of hearing!.form!) parts.push(part)
    const form = Buffer.concat(parts).toString('latin1')
    expect(form).toMatch(/name="model"\r\n\r\nwhisper-1/)
    expect(form).toMatch(/filename="silence.wav"\r\ncontent-type: audio\/wav\r\n\r\nRIFF/)
    expect(form.length).toBe(hearing!.form!.size)
  })

  test('without a named model prefers one that makes neither pictures nor films', async () => {
    const id = await addChannel({ models: 'dall-e-3,sora-2,gpt-4o-mini' })
    await runTest(id)
    await runTest(id, 'dall-e-3')
    await runTest(await addChannel({ models: 'dall-e-3,gpt-4o-mini', test_model: 'dall-e-3' }))
    const picture = 'POST /v1/images/generations'
    expect(asked()).toEqual(['POST /v1/chat/completions', picture, picture])
  })

  test('a task that the provider does not know shows that the key works; a refused key does not', async () => {
    const id = await addChannel({ models: 'sora-2' })
    gateway.upstream.reply(refusal(404, "Video with id '0' not found"))
    await runTest(id)
    expect(await readLastTest(id)).toMatchObject({ passed: true, model: 'sora-2' })
    for (const [status, text] of [
      [401, 'Incorrect API key'],
      [400, 'API key not valid'],
      [404, 'Invalid URL (GET /v1/videos/0)'],
    ] as const) {
      gateway.upstream.reply(refusal(status, text))
      await expect(runTest(id)).rejects.toThrow(text)
      expect(await readLastTest(id)).toMatchObject({ passed: false, status })
    }
  })

  test('a picture or a session is noted in the log as what it was, a status is not', async () => {
    await gateway.ask(root, 'settings.update', { key: 'SelfUseModeEnabled', value: 'true' })
    await runTest(await addChannel({ models: 'dall-e-3' }))
    await runTest(await addChannel({ models: 'sora-2' }))
    const { items } = await gateway.storage.logs.list({}, { offset: 0, limit: 50 })
    expect(items.map(({ model_name, operation }) => [model_name, operation])).toEqual([['dall-e-3', 'images']])
  })
})

describe('a test that no person watches', () => {
  /** Runs the scheduled tests once. */
  async function runSchedule() {
    await gateway.ask(root, 'settings.update', { key: 'channels.test_which', value: 'all' })
    await gateway.ask(root, 'settings.update', { key: 'channels.test_minutes', value: '1' })
    await gateway.clock.advance(2 * MINUTE_MS)
  }

  test('makes nothing at any provider, whichever pictures and films its models make', async () => {
    /** What would make something: the paths of pictures, and every submission of a task. */
    const makes = /images\/(generations|edits)|image-synthesis|image-generation|generateContent|:predict|submit/
    for (const { type, tasks = [], images = [], models } of allProviders) {
      if (type === SANDBOX || (tasks.length === 0 && images.length === 0)) continue
      const listed = models.length > 0 && tasks.length > 0 && images.length === 0 ? models : ['dall-e-3', 'sora-2']
      await addChannel({
        type,
        models: listed.join(','),
        test_model: listed[0]!,
        other: 'us-central1',
        key: getSampleKey(type),
      })
    }
    await runSchedule()
    await expect.poll(() => gateway.upstream.requests.length).toBeGreaterThan(10)
    expect(asked().filter((one) => makes.test(one))).toEqual([])
    const posted = gateway.upstream.requests.filter(({ method, json }) => method === 'POST' && 'prompt' in json)
    expect(posted.map(({ url }) => url)).toEqual([])
  })

  test('asks a model of the channel that costs little, or reads the list of models', async () => {
    await addChannel({ name: 'a', models: 'dall-e-3,gpt-4o-mini' })
    const id = await addChannel({ name: 'b', models: 'dall-e-3' })
    await runSchedule()
    await expect.poll(asked).toEqual(['POST /v1/chat/completions', 'GET /v1/models'])
    await expect.poll(() => readLastTest(id)).toMatchObject({ passed: true, model: 'dall-e-3', user_id: 0 })
  })

  test('switches a channel of pictures off whose key is refused, and on again', async () => {
    for (const key of ['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'])
      await gateway.ask(root, 'settings.update', { key, value: 'true' })
    const id = await addChannel({ models: 'dall-e-3' })
    const status = async () => (await gateway.storage.channels.find(id))?.status
    gateway.upstream.reply(refusal(401, 'bad key', 'invalid_api_key'))
    await runSchedule()
    await expect.poll(status).toBe(3)
    gateway.upstream.reply(answerAnything)
    // The run before may still be writing its results, and a run that is due meanwhile is left out.
    await expect
      .poll(async () => {
        await gateway.clock.advance(2 * MINUTE_MS)
        return status()
      })
      .toBe(1)
  })

  test('leaves out a channel whose setting says so, and one that has nothing to read', async () => {
    await addChannel({ models: 'gpt-4o', setting: '{"scheduled_tests": false}' })
    const { type } = allProviders.find(({ images, models_path }) => images && !models_path)!
    await addChannel({ type, models: 'dall-e-3' })
    const id = await addChannel({ models: 'gpt-4o-mini' })
    await runSchedule()
    await expect.poll(() => readLastTest(id)).toMatchObject({ passed: true })
    expect(asked()).toEqual(['POST /v1/chat/completions'])
  })

  test('the run of all channels makes no picture either', async () => {
    await addChannel({ models: 'dall-e-3' })
    await gateway.ask(root, 'channels.testAll')
    await expect.poll(asked).toEqual(['GET /v1/models'])
  })
})

test('every kind of task at every provider has a question for the state of one', () => {
  for (const { tasks = [] } of allProviders) {
    for (const { dialect } of tasks) {
      expect(isTaskOperation(dialect.operation)).toBe(true)
      const { method, path, json } = dialect.status('0', 'model')
      expect(`${path} ${JSON.stringify(json ?? {})}`, dialect.name).toMatch(/\b0\b/)
      if (method === 'POST') expect(Object.keys(json ?? {}).join(), dialect.name).not.toMatch(/prompt/)
    }
  }
  expect(CALL_OPERATIONS.filter((operation) => !(operation in KINDS))).toEqual([])
})

/** A session in which the provider says one thing. */
const oneMessage = (event: object, closed: number[]): Conversation => ({
  messages: (async function* () {
    yield JSON.stringify(event)
  })(),
  send: () => undefined,
  offence: new Promise(() => {}),
  close: (code) => void closed.push(code),
  ended: () => undefined,
})
