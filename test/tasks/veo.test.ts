// Films of Google's Veo 3.1 at the Gemini API: in its own format and in OpenAI's; its files want the channel's key.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { ask, looks } from './site.ts'
import { MADE, startVendor, type RunningVendor } from './vendor.ts'
import { playedVeo, playedVertexVeo, vertexKey } from './vendors/veo.ts'

const MODEL = 'veo-3.1-fast-generate-preview'
/** Quota units of a second at 720p: 0.1 USD. */
const SECOND = 50_000
const QUOTA = 100 * SECOND
const film = new TextDecoder().decode(MADE)
const PICTURE = 'data:image/png;base64,aGVsbG8='

describeWithGateway('films of Veo', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedVeo)
  })
  afterAll(() => vendor.close())
  beforeEach(async () => {
    vendor.tasks.length = 0
    vendor.requests.length = 0
    await weir.addChannel({
      type: 24,
      base_url: `${vendor.url}/v1beta`,
      models: `${MODEL},veo-3.1-lite-generate-preview`,
    })
  })

  it('are asked for in OpenAI’s words, with pictures as bytes; the file comes with the channel’s key and in parts', async () => {
    const ada = await weir.addCaller({ quota: QUOTA })
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: MODEL, prompt: 'a ferry', seconds: '8', size: '1080x1920' }))
      form.set(name, value)
    form.set('input_reference', new File(['hello'], 'a.png', { type: 'image/png' }))
    const headers = { authorization: `Bearer ${ada.key}` }
    const asked = await fetch(`${weir.url}/v1/videos`, { method: 'POST', headers, body: form })
    const json = (await asked.json()) as { id: string }
    expect(json).toMatchObject({ status: 'queued', seconds: '8', size: '1080x1920' })
    expect(vendor.tasks[0]?.asked).toEqual({
      instances: [{ prompt: 'a ferry', image: { bytesBase64Encoded: 'aGVsbG8=', mimeType: 'image/png' } }],
      parameters: { aspectRatio: '9:16', resolution: '1080p', durationSeconds: 8 },
    })
    expect((await ada.balances()).quota).toBe(QUOTA - 8 * SECOND * 1.2)
    await looks(weir, ada, 9)
    expect((await ask(weir, ada, 'GET', `/v1/videos/${json.id}`)).json).toMatchObject({ status: 'completed' })
    const content = await fetch(`${weir.url}/v1/videos/${json.id}/content`, {
      headers: { ...headers, range: 'bytes=0-3' },
    })
    expect([content.status, await content.text()]).toEqual([206, 'made'])
    expect(
      vendor.requests.filter(({ path }) => path.includes('/files/')).map(({ headers: sent }) => sent['x-goog-api-key']),
    ).not.toContain(undefined)
    expect(JSON.stringify(json)).not.toContain(vendor.url)
  })

  it.each([
    [{ seconds: '4', size: '1920x1080' }, 'seconds: 8 at 1080p'],
    [{ seconds: '5' }, 'seconds: 8, 6, 4'],
    [{ size: '1024x1024' }, 'resolution: 720p, 1080p, 4k'],
    [{ sound: false }, 'sound: true'],
    [{ input_reference: 'https://a.test/1.png' }, 'pictures: bytes'],
    [{ model: 'veo-3.1-lite-generate-preview', reference_images: [PICTURE] }, 'reference picture: none'],
    [{ reference_images: [PICTURE], input_reference: PICTURE }, 'a first and a last frame, or references'],
  ])('that it cannot make are refused with what it can: %j', async (more, words) => {
    const ada = await weir.addCaller({ quota: QUOTA })
    const { status, text } = await ask(weir, ada, 'POST', '/v1/videos', { model: MODEL, prompt: 'a ferry', ...more })
    expect(status).toBe(400)
    expect(text).toContain(words)
    expect(vendor.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(QUOTA)
  })

  it('are asked for at Google’s own paths by its clients, file included', async () => {
    await weir.set('ServerAddress', weir.url)
    const ada = await weir.addCaller({ quota: QUOTA })
    const as = { headers: { 'x-goog-api-key': ada.key } }
    const body = {
      instances: [{ prompt: 'a ferry' }],
      parameters: { durationSeconds: 4, personGeneration: 'allow_all' },
    }
    const { json, text } = await send('POST', `${weir.url}/v1beta/models/${MODEL}:predictLongRunning`, { ...as, body })
    expect(json, text).toEqual({
      name: expect.stringMatching(new RegExp(`^models/${MODEL}/operations/op[a-z0-9]{32}$`)),
    })
    expect(vendor.tasks[0]?.asked).toEqual(body)
    expect((await ada.balances()).quota).toBe(QUOTA - 4 * SECOND)
    const look = async () => (await send('GET', `${weir.url}/v1beta/${String(json.name)}`, as)).json
    expect(await look()).toEqual({ name: json.name })
    await looks(weir, ada, 9)
    const done = JSON.stringify(await look())
    const [, uri = ''] = /"uri":"([^"]+)"/.exec(done) ?? []
    expect(uri).toMatch(/\/v1beta\/files\/op[a-z0-9]{32}:download\?alt=media$/)
    expect((await send('GET', uri, as)).text).toBe(film)
    expect((await send('GET', uri, {})).status).toBe(401)
    const many = { ...body, parameters: { sampleCount: 4 } }
    const refused = await send('POST', `${weir.url}/v1beta/models/${MODEL}:predictLongRunning`, { ...as, body: many })
    expect(refused).toMatchObject({ status: 400, json: { error: { status: 'INVALID_ARGUMENT' } } })
  })

  it('that are held back tell why, and are given back', async () => {
    vendor.course('fails')
    const ada = await weir.addCaller({ quota: QUOTA })
    const { json } = await ask(weir, ada, 'POST', '/v1/videos', { model: MODEL, prompt: 'a ferry' })
    vendor.course('done')
    await looks(weir, ada, 9)
    const told = await ask(weir, ada, 'GET', `/v1/videos/${String(json.id)}`)
    expect(told.json).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('content filter') } })
    expect((await ada.balances()).quota).toBe(QUOTA)
  })
})

describeWithGateway('films of Veo at Vertex AI', (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => void (vendor = await startVendor(playedVertexVeo)))
  afterAll(() => vendor.close())

  it('are asked for in the project and region of the channel, without sound where that is asked; the file is in the answer', async () => {
    const model = 'veo-3.1-fast-generate-001'
    const other = JSON.stringify({ [model]: 'europe-west4', default: 'us-central1' })
    await weir.addChannel({ type: 41, key: vertexKey(vendor.url), other, base_url: vendor.url, models: model })
    const ada = await weir.addCaller({ quota: QUOTA })
    const body = { instances: [{ prompt: 'a ferry' }], parameters: { durationSeconds: 4, generateAudio: false } }
    const asked = await ask(weir, ada, 'POST', `/v1beta/models/${model}:predictLongRunning`, body)
    expect(asked.status, asked.text).toBe(200)
    const [task] = await looks(weir, ada, 9)
    // 0.08 USD a second.
    expect(task).toMatchObject({ status: 'SUCCESS', quota: 4 * SECOND * 0.8 })
    expect(task?.data).not.toContain(btoa(film))
    const place = '/v1/projects/p1/locations/europe-west4/publishers/google/models/'
    const paths = vendor.requests.filter(({ path }) => path !== '/token').map(({ path }) => path)
    expect(new Set(paths)).toEqual(
      new Set([`${place}${model}:predictLongRunning`, `${place}${model}:fetchPredictOperation`]),
    )
    expect(vendor.requests.at(-1)?.headers.authorization).toBe('Bearer played-token')
    const content = await ask(weir, ada, 'GET', `/v1/videos/${task!.task_id}/content`)
    expect([content.status, content.headers['content-type'], content.text]).toEqual([200, 'video/mp4', film])
  })

  it('are asked for in OpenAI’s words with the sound that is usual', async () => {
    const model = 'veo-3.1-generate-001'
    const key = vertexKey(vendor.url)
    await weir.addChannel({ type: 41, key, other: 'us-central1', base_url: vendor.url, models: model })
    const ada = await weir.addCaller({ quota: QUOTA })
    const asked = await ask(weir, ada, 'POST', '/v1/videos', { model, prompt: 'a ferry', size: '1280x720' })
    expect(asked.status, asked.text).toBe(200)
    expect(vendor.tasks.at(-1)?.asked).toEqual({
      instances: [{ prompt: 'a ferry' }],
      parameters: {
        ...{ aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, sampleCount: 1, generateAudio: true },
      },
    })
    expect((await ada.balances()).used_quota).toBe(8 * SECOND * 4)
  })
})
