// Mistakes that gateways of drawings and songs are known to make, by their numbers: none of them is made here.
import { afterEach, describe, expect, it } from 'vitest'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { CENTS_10, CENTS_5, drawingSite } from './drawings.ts'
import { ask, looks, tasksOf } from './site.ts'
import { startVendor, type PlayedVendor, type RunningVendor } from './vendor.ts'
import { playMidjourney } from './vendors/midjourney.ts'
import { playedSuno } from './vendors/suno.ts'

const QUOTA = 10 * CENTS_10

describeWithGateway('tasks', (weir) => {
  const { played, vendor, post, channel, asked, fetched, drawn } = drawingSite(weir)
  const started: RunningVendor[] = []
  afterEach(async () => {
    for (const one of started.splice(0)) await one.close()
  })
  async function start(vendor: PlayedVendor): Promise<RunningVendor> {
    const running = await startVendor(vendor)
    started.push(running)
    return running
  }
  async function suno(vendor: PlayedVendor = playedSuno, fields: object = {}) {
    const songs = await start(vendor)
    const made = await weir.addChannel({ type: 36, base_url: songs.url, models: 'suno_music,suno_lyrics', ...fields })
    return Object.assign(songs, { channel: made })
  }
  const isClean = async () => expect(await weir.gateway.ports.storage.ledger.faults()).toEqual([])

  it.each([
    ['U2', 'UPSCALE', CENTS_5],
    ['V3', 'VARIATION', CENTS_10],
    ['R', 'REROLL', CENTS_10],
  ])('1: a simple change %s is %s, and finds its model', async (change, action, price) => {
    await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    const origin = await drawn(ada)
    const id = await drawn(ada, '/mj/submit/simple-change', { content: `${origin} ${change}` })
    expect(asked().json).toEqual({ content: `${origin} ${change}` })
    expect(await fetched(ada, id)).toMatchObject({ action, status: 'SUCCESS' })
    expect((await ada.balances()).quota).toBe(QUOTA - CENTS_10 - price)
  })

  it.each(['mj_upload', 'mj_uploads'])('2: an upload finds a channel that lists %s', async (models) => {
    await channel({ models })
    const ada = await weir.addCaller({ quota: QUOTA })
    const answer = await post(ada, '/mj/submit/upload-discord-images', { base64Array: ['a', 'b'] })
    expect(answer.json).toMatchObject({
      code: 1,
      result: [expect.stringMatching(/-1.png$/), expect.stringMatching(/-2.png$/)],
    })
    expect(await tasksOf(weir, ada)).toMatchObject([{ action: 'UPLOAD', status: 'SUCCESS', quota: CENTS_5 }])
    // Its provider gave it no id: it has one of ours.
    expect((await tasksOf(weir, ada))[0]!.task_id).toMatch(/^\w{32}$/)
  })

  it('3: a song says what it is', async () => {
    await suno()
    const ada = await weir.addCaller({ quota: QUOTA })
    await post(ada, '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    await post(ada, '/suno/submit/lyrics', { prompt: 'a ferry' })
    expect((await tasksOf(weir, ada)).map(({ action, platform }) => `${platform} ${action}`)).toEqual([
      'suno LYRICS',
      'suno MUSIC',
    ])
  })

  it('4: administrators list what went through one channel', async () => {
    const first = await suno()
    const ada = await weir.addCaller({ quota: QUOTA })
    const song = await post(ada, '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    const { tasks } = weir.root.client
    const found = await tasks.list({ channel_id: first.channel.id })
    expect(found.data.map(({ task_id }) => task_id)).toEqual([song.json.data])
    expect((await tasks.list({ channel_id: first.channel.id + 1 })).data).toEqual([])
  })

  it('5: times of songs are seconds, of drawings milliseconds', async () => {
    await suno()
    await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    const before = Date.now()
    const song = await post(ada, '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    await drawn(ada)
    await looks(weir, ada, 9)
    const [task] = (await weir.root.client.tasks.list({ user_id: ada.user.id })).data
    const [drawing] = (await weir.root.client.tasks.drawings({ user_id: ada.user.id })).data
    expect(task!.submit_time * 1000).toBeGreaterThan(before - 2000)
    expect(task!.submit_time).toBeLessThan(before / 1000 + 600)
    expect(drawing!.submit_time).toBeGreaterThanOrEqual(before)
    const told = (await ask(weir, ada, 'GET', `/suno/fetch/${song.json.data}`)).json.data
    expect(told).toMatchObject({ submit_time: task!.submit_time, finish_time: 1_700_000_060 })
  })

  it('6: a song goes on at the channel and with the key that know it', async () => {
    const first = await suno(playedSuno, { key: 'first-key', priority: 9 })
    const ada = await weir.addCaller({ quota: QUOTA })
    const song = await post(ada, '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    const second = await suno(playedSuno, { key: 'second-key', priority: 99 })
    const more = { task_id: song.json.data, continue_clip_id: 'clip-1', continue_at: 30 }
    expect((await post(ada, '/suno/submit/music', more)).status).toBe(200)
    expect(second.requests).toEqual([])
    expect(first.requests.at(-1)?.headers.authorization).toBe('Bearer first-key')
    expect(first.requests.at(-1)?.json).toEqual({ ...more, mv: 'chirp-v3-0' })
    await weir.root.client.channels.update({ id: first.channel.id, status: 2 })
    const gone = await post(ada, '/suno/submit/music', more)
    expect([gone.status, gone.json.code]).toEqual([400, 'task_channel_disable'])
    expect(second.requests).toEqual([])
  })

  it('7: an end that is told by a callback gives the money back too', async () => {
    await weir.set('ServerAddress', weir.url)
    await weir.set('MjNotifyEnabled', 'true')
    vendor.course('fails')
    await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    const { json: taken } = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    for (let step = 0; step < 6; step++) await vendor.advance(taken.result)
    await eventually(
      () => fetched(ada, taken.result),
      ({ status }) => status === 'FAILURE',
      15_000,
    )
    expect(await ada.balances()).toMatchObject({ quota: QUOTA, used_quota: 0, token_used: 0 })
    await isClean()
  })

  describe('8: what was charged comes back, and nothing else', () => {
    it('of a drawing that was never taken', async () => {
      await channel()
      const ada = await weir.addCaller({ quota: QUOTA })
      for (const code of [23, 24, 9, 4] as const) {
        played.says.code = code
        await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
      }
      await looks(weir, ada, 6)
      expect(await ada.balances()).toMatchObject({ quota: QUOTA, used_quota: 0 })
      await isClean()
    })

    it('of a window that has a price by mistake', async () => {
      const { ModelPrice } = weir.gateway.settings()
      await weir.set('ModelPrice', { ...ModelPrice, mj_inpaint: 1 })
      await channel()
      const ada = await weir.addCaller({ quota: 100 * CENTS_10 })
      const origin = await drawn(ada)
      const before = (await ada.balances()).quota
      const { json } = await post(ada, '/mj/submit/action', { taskId: origin, customId: 'MJ::Inpaint::1::x' })
      expect((await ada.balances()).quota).toBe(before)
      const [row] = await tasksOf(weir, ada)
      await weir.gateway.ports.storage.tasks.update(row!.id, { submit_time: Date.now() - 31 * 60_000 })
      await looks(weir, ada, 1)
      // It waits for half an hour, and says so.
      const { status, failReason } = await fetched(ada, json.result)
      expect([status, failReason]).toEqual(['FAILURE', expect.stringContaining('30 minutes')])
      expect((await ada.balances()).quota).toBe(before)
      await isClean()
    })

    it('of a drawing whose channel is gone', async () => {
      const { id } = await channel()
      const ada = await weir.addCaller({ quota: QUOTA })
      await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
      expect((await ada.balances()).quota).toBe(QUOTA - CENTS_10)
      await weir.root.client.channels.delete({ id })
      await looks(weir, ada, 1)
      expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'FAILURE', refunded: CENTS_10 }])
      expect((await ada.balances()).quota).toBe(QUOTA)
      await isClean()
    })

    it.each([
      ['music', { gpt_description_prompt: 'a ferry' }, 61],
      ['lyrics', { prompt: 'a ferry' }, 11],
    ])('of %s that never ends', async (path, body, minutes) => {
      const songs = await suno()
      songs.course('never')
      const ada = await weir.addCaller({ quota: QUOTA })
      await post(ada, `/suno/submit/${path}`, body)
      await looks(weir, ada, 3)
      const [row] = await tasksOf(weir, ada)
      expect(row!.status).toBe('IN_PROGRESS')
      await weir.gateway.ports.storage.tasks.update(row!.id, { submit_time: Date.now() - minutes * 60_000 })
      await looks(weir, ada, 1)
      expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'FAILURE', refunded: row!.quota }])
      expect((await ada.balances()).quota).toBe(QUOTA)
    })
  })

  it('9: asking for songs that are not there is answered with none', async () => {
    const ada = await weir.addCaller({ quota: QUOTA })
    expect((await post(ada, '/suno/fetch', { ids: ['1', '2'] })).json).toEqual({
      code: 'success',
      message: '',
      data: [],
    })
    expect((await ask(weir, ada, 'GET', '/suno/fetch/1')).json).toMatchObject({ code: 'task_not_exist', data: null })
  })

  it('10: headers of the provider are its own', async () => {
    const loud: PlayedVendor = {
      ...playedSuno,
      answer(request, shelf) {
        const reply = playedSuno.answer(request, shelf)
        return reply && { ...reply, headers: { ...reply.headers, 'set-cookie': 'theirs=1', 'x-theirs': '1' } }
      },
    }
    await suno(loud)
    const ada = await weir.addCaller({ quota: QUOTA })
    const answer = await post(ada, '/suno/submit/music', { gpt_description_prompt: 'a ferry' })
    expect(answer.status).toBe(200)
    expect(JSON.stringify([...Object.entries(answer.headers)])).not.toMatch(/theirs/)
  })

  it('11: tasks of others in an answer are passed over', async () => {
    played.says.strays = true
    await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    expect(await fetched(ada, await drawn(ada))).toMatchObject({ status: 'SUCCESS' })
    expect(await tasksOf(weir, ada)).toHaveLength(1)
    await isClean()
  })

  it('12: what goes on with a drawing is logged with the channel that did it', async () => {
    const origin = await channel({ priority: 9 })
    const ada = await weir.addCaller({ quota: QUOTA })
    const id = await drawn(ada)
    await channel({ priority: 99 })
    await post(ada, '/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 1 })
    const rows = await ada.logs()
    expect(rows.map(({ channel: at, model_name }) => [at, model_name])).toEqual([
      [origin.id, 'mj_upscale'],
      [origin.id, 'mj_imagine'],
    ])
    expect((await tasksOf(weir, ada))[0]).toMatchObject({ channel_id: origin.id })
  })

  it('13: a proxy without accounts is switched off by itself, with the reason, and by no caller', async () => {
    await weir.set('AutomaticDisableChannelEnabled', true)
    const { id } = await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    const origin = await drawn(ada)
    played.says.code = 3
    // What is unknown there is no fault of the channel's.
    await post(ada, '/mj/submit/change', { taskId: origin, action: 'UPSCALE', index: 1 })
    expect((await weir.root.client.channels.get({ id })).status).toBe(1)
    await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    const { channels } = weir.root.client
    const isOff = ({ status }: { status: number }) => status === 3
    const off = await eventually(() => channels.get({ id }), isOff)
    expect(JSON.parse(off.other_info)).toMatchObject({ status_reason: expect.stringContaining('no account instance') })
    expect(JSON.parse(off.other_info).status_time).toBeGreaterThan(1_700_000_000)
  })

  it('14: words that operators refuse are refused in drawings and songs', async () => {
    await weir.set('CheckSensitiveEnabled', true)
    await weir.set('CheckSensitiveOnPromptEnabled', true)
    await weir.set('SensitiveWords', 'fishmonger')
    await channel()
    const songs = await suno()
    const ada = await weir.addCaller({ quota: QUOTA })
    const words = { prompt: 'a Fishmonger', gpt_description_prompt: 'a fishmonger' }
    for (const path of ['/mj/submit/imagine', '/suno/submit/music', '/suno/submit/lyrics'])
      expect((await post(ada, path, words)).status, path).toBe(400)
    expect([vendor.tasks.filter(({ asked }) => String(asked.prompt).includes('monger')), songs.tasks]).toEqual([[], []])
    expect((await ada.balances()).quota).toBe(QUOTA)
  })

  it('15: pictures in a request are bounded, and kept nowhere', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    const picture = `data:image/png;base64,${'QUJD'.repeat(30_000)}`
    await drawn(ada, '/mj/submit/describe', { base64: picture })
    const [row] = await tasksOf(weir, ada)
    expect(JSON.stringify([row, await ada.logs()])).not.toContain('QUJDQUJD')
    await weir.set('relay.max_body_megabytes', 1)
    const large = await post(ada, '/mj/submit/describe', { base64: picture.repeat(20) })
    expect([large.status, large.json.code]).toEqual([413, 4])
  })

  it('16: the same id at two proxies is two drawings', async () => {
    const other = await start(playMidjourney())
    const first = await channel()
    const ada = await weir.addCaller({ quota: QUOTA })
    vendor.tasks.length = 0
    const hers = await drawn(ada, '/mj/submit/imagine', { prompt: 'a cat' })
    await weir.root.client.channels.update({ id: first.id, status: 2 })
    await channel({ base_url: other.url })
    const bob = await weir.addCaller({ quota: QUOTA })
    const his = await drawn(bob, '/mj/submit/imagine', { prompt: 'a dog' })
    expect(his).toBe(hers)
    expect(await fetched(ada, hers)).toMatchObject({ prompt: 'a cat' })
    expect(await fetched(bob, his)).toMatchObject({ prompt: 'a dog' })
    const pictures = [(await tasksOf(weir, ada))[0]!, (await tasksOf(weir, bob))[0]!].map(
      ({ notify_key }) => notify_key,
    )
    expect(new Set(pictures).size).toBe(2)
  })
})
