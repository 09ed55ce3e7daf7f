// The played vendors of video are what their documentation says: tasks go on look by look, a bad request is refused in the
// vendor's own words, files are where they are said to be.
import { createHash, createHmac } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { MADE, WRONG_KEY, startVendor, type PlayedVendor, type RunningVendor } from '../vendor.ts'
import { playedArk } from './ark.ts'
import { JIMENG_KEY, playedJimeng } from './jimeng.ts'
import { playedMinimax } from './minimax.ts'
import { playedOpenaiVideos } from './openai-videos.ts'
import { playedVeo, playedVertexVeo } from './veo.ts'

let vendor: RunningVendor
afterEach(() => vendor.close())

/** What the tests read of answers. */
interface Answer {
  id?: string
  name?: string
  status?: string
  task_id?: string
  file_id?: string
  data?: { task_id: string }
  file?: { download_url: string }
}

interface Told {
  status: number
  json: Answer
  text: string
}

const bearer = { authorization: 'Bearer key' }

async function ask(
  path: string,
  body?: unknown,
  headers: Record<string, string> = bearer,
  method?: string,
): Promise<Told> {
  const sent =
    body instanceof FormData
      ? { body, headers }
      : { ...(body ? { body: JSON.stringify(body) } : {}), headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(path.startsWith('http') ? path : vendor.url + path, {
    method: method ?? (body ? 'POST' : 'GET'),
    ...sent,
  })
  const text = await response.text()
  return { status: response.status, json: text.startsWith('{') ? (JSON.parse(text) as Answer) : {}, text }
}

const start = async (played: PlayedVendor) => void (vendor = await startVendor(played))
const film = new TextDecoder().decode(MADE)

it('OpenAI’s shape: sizes by model, a form with a picture, a remix of what is done, the file only with the key', async () => {
  await start(playedOpenaiVideos)
  const wrong = await ask('/v1/videos', { model: 'sora-2', prompt: 'a ferry', size: '1024x1792' })
  expect(wrong).toMatchObject({ status: 400, json: { error: { param: 'size', code: 'invalid_value' } } })
  expect(wrong.text).toContain("Supported values are: '720x1280', and '1280x720'")
  expect(await ask('/v1/videos', { prompt: 'a' }, { authorization: `Bearer ${WRONG_KEY}` })).toMatchObject({
    status: 401,
  })
  const form = new FormData()
  form.set('prompt', 'a ferry')
  form.set('seconds', '8')
  form.set('input_reference', new File(['png'], 'a.png', { type: 'image/png' }))
  const { json } = await ask('/v1/videos', form)
  expect(json).toMatchObject({ status: 'queued', seconds: '8', size: '720x1280', progress: 0 })
  expect(vendor.tasks[0]?.asked.input_reference).toMatchObject({ name: 'a.png', type: 'image/png' })
  const path = `/v1/videos/${String(json.id)}`
  expect(await ask(`${path}/remix`, { prompt: 'by night' })).toMatchObject({ status: 400 })
  const states = []
  for (let look = 0; look < 4; look += 1) states.push(String((await ask(path)).json.status))
  expect(states).toEqual(['queued', 'in_progress', 'in_progress', 'completed'])
  expect(await ask(`${path}/content`)).toMatchObject({ status: 200, text: film })
  expect(await ask(`${path}/content`, undefined, { ...bearer, range: 'bytes=0-3' })).toMatchObject({
    status: 206,
    text: 'made',
  })
  expect(await ask(`${path}/content`, undefined, {})).toMatchObject({ status: 401 })
  const remix = await ask(`${path}/remix`, { prompt: 'by night' })
  expect(remix.json).toMatchObject({ remixed_from_video_id: json.id, seconds: '8' })
  expect((await ask('/v1/videos?limit=1')).json).toMatchObject({ has_more: true, data: [{ id: remix.json.id }] })
  expect((await ask(path, undefined, bearer, 'DELETE')).json).toMatchObject({ deleted: true, object: 'video.deleted' })
  expect(await ask(path)).toMatchObject({ status: 404 })
})

it('Veo at the Gemini API: eight seconds where it must be, the file with the key alone', async () => {
  await start(playedVeo)
  const key = { 'x-goog-api-key': 'AIza' }
  const path = '/v1beta/models/veo-3.1-generate-preview:predictLongRunning'
  const asked = (parameters: object) => ({ instances: [{ prompt: 'a ferry' }], parameters })
  expect(await ask(path, asked({}), {})).toMatchObject({ status: 403 })
  expect(await ask(path, asked({}), { 'x-goog-api-key': WRONG_KEY })).toMatchObject({ status: 400 })
  for (const parameters of [
    { durationSeconds: 5 },
    { resolution: '1080p', durationSeconds: 4 },
    { aspectRatio: '1:1' },
    { generateAudio: false },
  ])
    expect(await ask(path, asked(parameters), key)).toMatchObject({
      status: 400,
      json: { error: { status: 'INVALID_ARGUMENT' } },
    })
  expect(await ask(path.replace('3.1', '3.0'), asked({}), key)).toMatchObject({ status: 404 })
  const { json } = await ask(path, asked({ durationSeconds: 4 }), key)
  let told = await ask(`/v1beta/${String(json.name)}`, undefined, key)
  expect(told.json).toEqual({ name: json.name })
  for (let look = 0; look < 3; look += 1) told = await ask(`/v1beta/${String(json.name)}`, undefined, key)
  const [, uri = ''] = /"uri":"([^"]+)"/.exec(told.text) ?? []
  expect(await ask(uri, undefined, {})).toMatchObject({ status: 403 })
  expect(await ask(uri, undefined, key)).toMatchObject({ status: 200, text: film })
})

it('Veo at Vertex AI: the film stands in the answer; a film held back says why', async () => {
  await start(playedVertexVeo)
  const place = '/v1/projects/p/locations/us-central1/publishers/google/models/veo-3.1-fast-generate-001'
  vendor.course('fails')
  const submit = (instances: object[]) =>
    ask(`${place}:predictLongRunning`, { instances, parameters: { generateAudio: false } })
  const failing = (await submit([{ prompt: 'a ferry' }])).json.name
  vendor.course('done')
  const good = (await submit([{ prompt: 'a ferry' }])).json.name
  const look = async (operationName?: string) => {
    let told = await ask(`${place}:fetchPredictOperation`, { operationName })
    for (let more = 0; more < 4; more += 1) told = await ask(`${place}:fetchPredictOperation`, { operationName })
    return told.json
  }
  expect(await look(failing)).toMatchObject({ done: true, response: { raiMediaFilteredCount: 1 } })
  expect(await look(good)).toMatchObject({
    response: { videos: [{ bytesBase64Encoded: Buffer.from(MADE).toString('base64'), mimeType: 'video/mp4' }] },
  })
})

it('Ark: resolutions by model, several tasks in one look, tokens as the frames have them', async () => {
  await start(playedArk)
  const path = '/api/v3/contents/generations/tasks'
  const asked = (model: string, more: object) => ({ model, content: [{ type: 'text', text: 'a ferry' }], ...more })
  const fast = 'doubao-seedance-2-0-fast-260128'
  const wrong = await ask(path, asked(fast, { resolution: '1080p' }))
  expect(wrong).toMatchObject({ status: 400, json: { error: { code: 'InvalidParameter', type: 'BadRequest' } } })
  expect(wrong.text).toContain(
    'the parameter resolution specified in the request is not valid for model doubao-seedance-2-0-fast in t2v',
  )
  expect(await ask(path, asked(fast, { duration: 3 }))).toMatchObject({ status: 400 })
  expect(await ask(path, asked('sora-2', {}))).toMatchObject({ status: 404 })
  expect(await ask(path, asked(fast, {}), {})).toMatchObject({ status: 401 })
  const { id } = (await ask(path, asked(fast, { duration: 5, ratio: '16:9' }))).json
  for (let look = 0; look < 3; look += 1) await ask(`${path}/${String(id)}`)
  const { json, text } = await ask(`${path}?filter.task_ids=${String(id)}&filter.task_ids=other`)
  expect(json).toMatchObject({ total: 1, items: [{ status: 'succeeded', usage: { completion_tokens: 108_900 } }] })
  const [, address = ''] = /"video_url":"([^"]+)"/.exec(text) ?? []
  expect(await ask(address, undefined, {})).toMatchObject({ text: film })
})

it('MiniMax: refusals with status 200 at /v1 and with their own at /v2; the file by its id', async () => {
  await start(playedMinimax)
  const hailuo = { model: 'MiniMax-Hailuo-2.3', prompt: 'a ferry' }
  expect(await ask('/v1/video_generation', { ...hailuo, resolution: '1080P', duration: 10 })).toMatchObject({
    status: 200,
    json: { base_resp: { status_code: 2013 } },
  })
  expect(await ask('/v1/video_generation', hailuo, {})).toMatchObject({ json: { base_resp: { status_code: 1004 } } })
  const { task_id } = (await ask('/v1/video_generation', hailuo)).json
  let told = await ask(`/v1/query/video_generation?task_id=${String(task_id)}`)
  for (let look = 0; look < 3; look += 1) told = await ask(`/v1/query/video_generation?task_id=${String(task_id)}`)
  expect(told.json).toMatchObject({ status: 'Success', video_width: 1366 })
  const { file } = (await ask(`/v1/files/retrieve?file_id=${String(told.json.file_id)}`)).json
  expect(await ask(String(file?.download_url), undefined, {})).toMatchObject({
    text: film,
  })
  const h3 = { model: 'MiniMax-H3', content: [{ type: 'text', text: 'a ferry' }], duration: 4, ratio: '16:9' }
  expect(await ask('/v2/video_generation', { ...h3, resolution: '1080P' })).toMatchObject({ status: 400 })
  expect(await ask('/v2/video_generation', { ...h3, resolution: '2K', ratio: 'adaptive' })).toMatchObject({
    status: 400,
  })
  expect(await ask('/v2/video_generation', { ...h3, resolution: '2K' }, {})).toMatchObject({ status: 401 })
  const task = (await ask('/v2/video_generation', { ...h3, resolution: '2K' })).json.task_id
  for (let look = 0; look < 3; look += 1) await ask(`/v2/query/video_generation/${String(task)}`)
  expect((await ask(`/v2/query/video_generation/${String(task)}`)).json).toMatchObject({
    task: { status: 'succeeded', usage: { output_seconds: 4 } },
  })
})

it('Jimeng: a request that is not signed, or not as sent, is refused; the signed one goes on', async () => {
  await start(playedJimeng)
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const signed = (action: string, body: object, secret: string = JIMENG_KEY.secret) => {
    const query = `Action=${action}&Version=2022-08-31`
    const sent = JSON.stringify(body)
    const headers: Record<string, string> = {
      host: new URL(vendor.url).host,
      'x-content-sha256': hash(sent),
      'x-date': '20261123T120000Z',
    }
    const names = Object.keys(headers).join(';')
    const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`)
    const canonical = ['POST', '/', query, ...lines, '', names, hash(sent)].join('\n')
    const scope = '20261123/cn-north-1/cv/request'
    const seal = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const key = ['cn-north-1', 'cv', 'request'].reduce(seal, seal(secret, '20261123'))
    const signature = seal(key, ['HMAC-SHA256', headers['x-date'], scope, hash(canonical)].join('\n')).toString('hex')
    const authorization = `HMAC-SHA256 Credential=${JIMENG_KEY.id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
    return ask(`/?${query}`, body, { ...headers, authorization })
  }
  const asked = { req_key: 'jimeng_t2v_v30', prompt: 'a ferry', frames: 121, aspect_ratio: '16:9' }
  expect(await ask('/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31', asked, {})).toMatchObject({ status: 401 })
  expect((await signed('CVSync2AsyncSubmitTask', asked, 'other')).text).toContain('SignatureDoesNotMatch')
  expect(await signed('CVSync2AsyncSubmitTask', { ...asked, frames: 100 })).toMatchObject({
    status: 400,
    json: { code: 50_215 },
  })
  const { data } = (await signed('CVSync2AsyncSubmitTask', asked)).json
  const look = { req_key: asked.req_key, task_id: data?.task_id }
  for (let more = 0; more < 3; more += 1) await signed('CVSync2AsyncGetResult', look)
  expect((await signed('CVSync2AsyncGetResult', look)).json).toMatchObject({ code: 10_000, data: { status: 'done' } })
})
