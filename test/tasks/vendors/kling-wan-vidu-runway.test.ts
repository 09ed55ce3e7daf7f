// These played vendors do what their pages say, so that what is tested against them means something.
import { afterEach, describe, expect, it } from 'vitest'
import { createSigner } from '../../../core/adapters/signer.ts'
import { createMemoryUpstream } from '../../support/memory-upstream.ts'
import { createFakeClock } from '../../support/clock.ts'
import { MADE, startVendor, WRONG_KEY, type PlayedVendor, type RunningVendor } from '../vendor.ts'
import { playedDashscope } from './dashscope.ts'
import { KLING_KEY, playedKling } from './kling.ts'
import { playedRunway } from './runway.ts'
import { playedVidu } from './vidu.ts'

const signer = createSigner({ upstream: createMemoryUpstream(), clock: createFakeClock(Date.now()) })
const WAN = '/api/v1/services/aigc/video-generation/video-synthesis'
const picture = 'https://pictures.test/cat.png'

interface Vendor {
  vendor: PlayedVendor
  proof: Record<string, string>
  wrong: Record<string, string>
  /** A submission that is taken, and the words of its states as they are told. */
  path: string
  body: object
  state(id: string): string
  says: readonly string[]
  failed: string
  /** What is refused, and in which words. */
  refuses: readonly [what: string, path: string, body: object, status: number, words: RegExp][]
}

const vendors: Vendor[] = [
  {
    vendor: playedKling,
    proof: { authorization: `Bearer ${await signer.kling(KLING_KEY)}` },
    wrong: { authorization: `Bearer ${await signer.kling('played-access|another')}` },
    path: '/v1/videos/text2video',
    body: { model_name: 'kling-v3', prompt: 'a cat', mode: 'pro', sound: 'on', duration: '5', aspect_ratio: '16:9' },
    state: (id) => `/v1/videos/text2video/${id}`,
    says: ['submitted', 'processing', 'processing', 'succeed'],
    failed: 'failed',
    refuses: [
      ['a model that ended', '/v1/videos/text2video', { model_name: 'kling-v1-6', prompt: 'x' }, 404, /kling-v1-6/],
      [
        'a wrong ratio',
        '/v1/videos/text2video',
        { model_name: 'kling-v3', prompt: 'x', aspect_ratio: '4:3' },
        400,
        /4:3/,
      ],
      [
        'seconds as a number',
        '/v1/videos/text2video',
        { model_name: 'kling-v3', prompt: 'x', duration: 5 },
        400,
        /string/,
      ],
      ['no picture', '/v1/videos/image2video', { model_name: 'kling-v3' }, 400, /image_tail/],
      [
        ...(['a picture with a prefix', '/v1/videos/image2video'] as const),
        ...([{ model_name: 'kling-v3', image: 'data:image/png;base64,AA' }, 400, /base64/] as const),
      ],
      [
        'eight pictures',
        '/v1/videos/omni-video',
        { prompt: 'x', image_list: Array.from({ length: 8 }, () => ({ image_url: picture })) },
        400,
        /7/,
      ],
    ],
  },
  {
    vendor: playedDashscope,
    proof: { authorization: 'Bearer sk-any', 'x-dashscope-async': 'enable' },
    wrong: { authorization: `Bearer ${WRONG_KEY}`, 'x-dashscope-async': 'enable' },
    path: WAN,
    body: { model: 'wan2.6-t2v', input: { prompt: 'a cat' }, parameters: { size: '1280*720', duration: 10 } },
    state: (id) => `/api/v1/tasks/${id}`,
    says: ['PENDING', 'RUNNING', 'RUNNING', 'SUCCEEDED'],
    failed: 'FAILED',
    refuses: [
      ['no such model', WAN, { model: 'wan9', input: { prompt: 'x' } }, 404, /wan9/],
      [
        'a wrong size',
        WAN,
        { model: 'wan2.6-t2v', input: { prompt: 'x' }, parameters: { size: '1*1' } },
        400,
        /1280\*720/,
      ],
      [
        ...(['a size of the older form', WAN] as const),
        ...([{ model: 'wan2.7-t2v', input: { prompt: 'x' }, parameters: { size: '1280*720' } }, 400, /size/] as const),
      ],
      [
        ...(['seconds as text', WAN] as const),
        ...([{ model: 'wan2.7-t2v', input: { prompt: 'x' }, parameters: { duration: '5' } }, 400, /duration/] as const),
      ],
      ['no picture', WAN, { model: 'wan2.7-i2v', input: { prompt: 'x' } }, 400, /media/],
    ],
  },
  {
    vendor: playedVidu,
    proof: { authorization: 'Token vda_any' },
    wrong: { authorization: 'Bearer vda_any' },
    path: '/ent/v2/start-end2video',
    body: { model: 'viduq3-pro', images: [picture, picture], prompt: 'a cat', duration: 4, resolution: '1080p' },
    state: (id) => `/ent/v2/tasks/${id}/creations`,
    says: ['queueing', 'processing', 'processing', 'success'],
    failed: 'failed',
    refuses: [
      ['no such model', '/ent/v2/text2video', { model: 'vidu9', prompt: 'x' }, 400, /model unavailable/],
      ['no model', '/ent/v2/text2video', { prompt: 'x' }, 400, /missing or empty: model/],
      [
        'too many seconds',
        '/ent/v2/text2video',
        { model: 'viduq2', prompt: 'x', duration: 11 },
        400,
        /invalid field: duration/,
      ],
      [
        'one picture of two',
        '/ent/v2/start-end2video',
        { model: 'viduq3-pro', images: [picture] },
        400,
        /out of range: images/,
      ],
      [
        'a ratio of later models',
        '/ent/v2/text2video',
        { model: 'viduq1', prompt: 'x', aspect_ratio: '4:3' },
        400,
        /aspect_ratio/,
      ],
    ],
  },
  {
    vendor: playedRunway,
    proof: { authorization: 'Bearer key_any', 'x-runway-version': '2024-11-06' },
    wrong: { authorization: `Bearer ${WRONG_KEY}`, 'x-runway-version': '2024-11-06' },
    path: '/v1/image_to_video',
    body: { model: 'gen4.5', promptImage: picture, promptText: 'a cat', ratio: '1104:832', duration: 7 },
    state: (id) => `/v1/tasks/${id}`,
    says: ['PENDING', 'RUNNING', 'RUNNING', 'SUCCEEDED'],
    failed: 'FAILED',
    refuses: [
      ['a model that ended', '/v1/image_to_video', { model: 'gen3a_turbo', promptImage: picture }, 400, /"model"/],
      [
        'a wrong ratio',
        '/v1/text_to_video',
        { model: 'gen4.5', promptText: 'x', duration: 5, ratio: '16:9' },
        400,
        /1280:720/,
      ],
      ['no seconds', '/v1/text_to_video', { model: 'gen4.5', promptText: 'x', ratio: '1280:720' }, 400, /"duration"/],
      [
        ...(['a last picture', '/v1/image_to_video'] as const),
        { model: 'gen4_turbo', ratio: '1280:720', promptImage: [{ uri: picture, position: 'last' }] },
        ...([400, /promptImage/] as const),
      ],
    ],
  },
]

const open: RunningVendor[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

describe.each(vendors)(
  '$vendor.name, played,',
  ({ vendor, proof, wrong, path, body, state, says, failed, refuses }) => {
    async function play() {
      const running = await startVendor(vendor)
      open.push(running)
      const ask = async (at: string, sent?: object, headers = proof) => {
        const response = await fetch(`${running.url}${at}`, {
          method: sent ? 'POST' : 'GET',
          headers: { 'content-type': 'application/json', ...headers },
          ...(sent ? { body: JSON.stringify(sent) } : {}),
        })
        return { status: response.status, text: await response.text() }
      }
      return { ...running, ask }
    }

    it('wants its proof', async () => {
      const { ask, tasks } = await play()
      expect((await ask(path, body, {})).status).toBe(401)
      expect((await ask(path, body, wrong)).status).toBe(401)
      expect(tasks).toEqual([])
    })

    it.each(refuses)('refuses %s', async (_, at, sent, status, words) => {
      const { ask, tasks } = await play()
      const refused = await ask(at, sent)
      expect(refused.status, refused.text).toBe(status)
      expect(refused.text).toMatch(words)
      expect(tasks).toEqual([])
    })

    it('makes a film step by step, and gives it in parts without a key', async () => {
      const { ask, tasks } = await play()
      const taken = await ask(path, body)
      expect(taken.status, taken.text).toBe(200)
      const { id } = tasks[0]!
      expect(taken.text).toContain(`"${id}"`)
      let told = ''
      for (const word of says) {
        told = (await ask(state(id))).text
        expect(told).toContain(`"${word}"`)
      }
      const [file] = /http:[^"]+\.mp4[^"]*/.exec(told) ?? []
      const whole = await fetch(file!)
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(MADE)
      const some = await fetch(file!, { headers: { range: 'bytes=5-9' } })
      expect([some.status, some.headers.get('content-range')]).toEqual([206, `bytes 5-9/${MADE.length}`])
    })

    it('fails with a reason, and forgets', async () => {
      const { ask, tasks, course } = await play()
      for (const next of ['fails', 'lost'] as const) {
        course(next)
        await ask(path, body)
      }
      for (let look = 0; look < 4; look++) await Promise.all(tasks.map(({ id }) => ask(state(id))))
      expect((await ask(state(tasks[0]!.id))).text).toContain(`"${failed}"`)
      const lost = await ask(state(tasks[1]!.id))
      expect(lost.status === 404 || lost.text.includes('UNKNOWN')).toBe(true)
    })
  },
)

describe("Kling's list", () => {
  it('has the films of one path, the newest first', async () => {
    const { vendor, proof, path, body } = vendors[0]!
    const { url, close } = await startVendor(vendor)
    const headers = { ...proof, 'content-type': 'application/json' }
    for (let n = 0; n < 3; n++) await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const list = async (at: string) => {
      const { data } = (await (await fetch(`${url}${at}`, { headers })).json()) as { data: { task_id: string }[] }
      return data.map(({ task_id }) => task_id.slice(-2))
    }
    expect(await list(`${path}?pageNum=1&pageSize=2`)).toEqual(['03', '02'])
    expect(await list('/v1/videos/image2video?pageSize=500')).toEqual([])
    await close()
  })
})
