// Films of Kling, Wan, Vidu and Runway: asked for in OpenAI's shape and in each vendor's own, made by the vendor as its pages
// have it, charged by seconds, resolution and sound.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { ask, looks, tasksOf } from './site.ts'
import { MADE, startVendor, type RunningVendor, type TaskCourse } from './vendor.ts'
import { KLING_KEY, playedKling } from './vendors/kling.ts'
import { filmVendors, type FilmVendor } from './kling-wan-vidu-runway.data.ts'

const DOLLAR = 500_000
const quota = 100 * DOLLAR

describeWithGateway('films of', (weir) => {
  describe.each(filmVendors)('$name', ({ vendor: played, type, key, models, films, refused, own }) => {
    let vendor: RunningVendor
    beforeAll(async () => {
      vendor = await startVendor(played)
    })
    afterAll(() => vendor.close())

    async function place(course: TaskCourse = 'done') {
      vendor.course(course)
      vendor.mood('well')
      await weir.addChannel({ type, key, base_url: vendor.url, models })
      return weir.addCaller({ quota })
    }

    it.each(films)('%s', async (_, asked, path, sent, dollars) => {
      const ada = await place()
      const before = vendor.tasks.length
      const answer = await ask(weir, ada, 'POST', '/v1/videos', asked)
      expect(answer.status, answer.text).toBe(200)
      expect(vendor.tasks.slice(before)).toMatchObject([{ path, asked: sent }])
      expect(await ada.balances()).toMatchObject({ quota: Math.round(quota - dollars * DOLLAR) })
    })

    it.each(refused)('%s that it cannot make is refused with what it can', async (_, asked, words) => {
      const ada = await place()
      const before = vendor.tasks.length
      const answer = await ask(weir, ada, 'POST', '/v1/videos', asked)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.json.error.message).toMatch(words)
      expect(vendor.tasks.slice(before)).toEqual([])
      expect(await ada.balances()).toMatchObject({ quota })
    })

    it('is told of in its own shape, and its film is given in parts', async () => {
      const ada = await place()
      const answer = await ask(weir, ada, 'POST', own.submit, own.body)
      expect(answer.status, answer.text).toBe(200)
      const id = own.id.reduce((json, name) => json[name], answer.json) as unknown as string
      expect(vendor.tasks.at(-1)).toMatchObject({ id, path: own.submit, asked: own.body })
      expect(await ada.balances()).toMatchObject({ quota: Math.round(quota - own.dollars * DOLLAR) })
      const read = async () => (await ask(weir, ada, 'GET', own.read(id))).json
      await looks(weir, ada, 2)
      expect(await read()).toMatchObject(own.tells[0])
      await looks(weir, ada, 9)
      const done = await read()
      expect(done).toMatchObject(own.tells[1])
      const [file] = /http:[^"]+\.mp4[^"]*/.exec(JSON.stringify(done)) ?? []
      expect(new Uint8Array(await (await fetch(file!)).arrayBuffer())).toEqual(MADE)
      // What was used is what was asked for.
      expect(await ada.balances()).toMatchObject({ quota: Math.round(quota - own.dollars * DOLLAR) })
    })

    it('is told of in OpenAI’s shape, and passed on in parts for as long as its address is good', async () => {
      const ada = await place()
      const taken = (await ask(weir, ada, 'POST', '/v1/videos', films[0]![1])).json as { id: string }
      await looks(weir, ada, 9)
      const video = (await ask(weir, ada, 'GET', `/v1/videos/${taken.id}`)).json as Record<string, unknown>
      expect(video).toMatchObject({ id: taken.id, object: 'video', status: 'completed', progress: 100 })
      expect(video.expires_at).toEqual(expect.any(Number))
      const headers = { authorization: `Bearer ${ada.key}`, range: 'bytes=5-9' }
      const part = await fetch(`${weir.url}/v1/videos/${taken.id}/content`, { headers })
      const isGood = Number(video.expires_at) * 1000 > Date.now()
      expect(part.status).toBe(isGood ? 206 : 404)
      if (!isGood) return
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(MADE.slice(5, 10))
      // Nobody who has the address alone is sent the key.
      expect(vendor.requests.at(-1)?.headers).not.toHaveProperty('authorization')
    })

    it('gives back what a film cost that failed, and says why', async () => {
      const ada = await place('fails')
      const answer = await ask(weir, ada, 'POST', own.submit, own.body)
      const id = own.id.reduce((json, name) => json[name], answer.json) as unknown as string
      await looks(weir, ada, 9)
      expect((await ask(weir, ada, 'GET', own.read(id))).json).toMatchObject(own.tells[2])
      expect(await ada.balances()).toMatchObject({ quota, used_quota: 0 })
      const [task] = await tasksOf(weir, ada)
      expect(task).toMatchObject({ status: 'FAILURE', refunded: own.dollars * DOLLAR })
    })

    it('refuses in its own words, and charges nothing', async () => {
      const ada = await place()
      vendor.mood('refuses')
      const refused = await ask(weir, ada, 'POST', own.submit, own.body)
      expect(refused.status).toBe(400)
      expect(Object.keys(refused.json)).toEqual(Object.keys(played.refuse('refuses', own.body as never).json as object))
      expect(await ada.balances()).toMatchObject({ quota, used_quota: 0 })
    })
  })
})

describeWithGateway("what is told of a vendor's films beside", (weir) => {
  let vendor: RunningVendor
  beforeAll(async () => {
    vendor = await startVendor(playedKling)
  })
  afterAll(() => vendor.close())
  const at = { type: 50, key: KLING_KEY, models: 'kling-v3,kling-v3-omni,kling-v1-6' }

  it('Kling lists by pages, each kind of film by itself', async () => {
    await weir.addChannel({ ...at, base_url: vendor.url })
    const [ada, bob] = [await weir.addCaller({ quota }), await weir.addCaller({ quota })]
    const asked = [
      ['text2video', { model_name: 'kling-v3', prompt: 'one' }],
      ['text2video', { model_name: 'kling-v3', prompt: 'two' }],
      ['image2video', { model_name: 'kling-v3', image: 'https://pictures.test/cat.png' }],
    ] as const
    const ids: string[] = []
    for (const [kind, body] of asked)
      ids.push((await ask(weir, ada, 'POST', `/v1/videos/${kind}`, body)).json.data.task_id as string)
    await ask(weir, ada, 'POST', '/v1/videos', { model: 'kling-v3', prompt: 'another' })
    const list = async (path: string, of = ada) =>
      ((await ask(weir, of, 'GET', path)).json.data as { task_id: string }[]).map(({ task_id }) => task_id)
    expect(await list('/v1/videos/text2video?pageNum=1&pageSize=30')).toEqual([ids[1], ids[0]])
    expect(await list('/kling/v1/videos/text2video?pageNum=2&pageSize=1')).toEqual([ids[0]])
    expect(await list('/v1/videos/image2video')).toEqual([ids[2]])
    expect(await list('/v1/videos/text2video', bob)).toEqual([])
    const wrong = await ask(weir, ada, 'GET', '/v1/videos/text2video?pageSize=501')
    expect(wrong).toMatchObject({ status: 400, json: { code: 1201 } })
  })

  it('names the day on which a vendor ended a model', async () => {
    await weir.addChannel({ ...at, base_url: vendor.url })
    const ada = await weir.addCaller()
    const listed = (await ask(weir, ada, 'GET', '/v1/models')).json.data as Record<string, unknown>[]
    const ofId = (name: string) => listed.find(({ id }) => id === name)
    expect(ofId('kling-v1-6')).toMatchObject({ type: 'video', shutdown_date: '2026-09-15' })
    expect(ofId('kling-v3')).toMatchObject({ type: 'video' })
    expect(ofId('kling-v3')).not.toHaveProperty('shutdown_date')
    await weir.set('VideoPrice', '{"kling-v1-6":0.056,"kling-v3":0.112}')
    const prices = (await weir.visitor().send('GET', '/api/pricing/')).json.data as Record<string, unknown>[]
    const priceOf = (name: string) => prices.find(({ model_name }) => model_name === name)
    expect(priceOf('kling-v1-6')).toMatchObject({ ended: '2026-09-15' })
    expect(priceOf('kling-v3')).toMatchObject({
      prices: expect.arrayContaining([{ component: 'video', label: 'sound', unit: 'second', per: 1, usd: 0.168 }]),
    })
    expect(priceOf('kling-v3')).not.toHaveProperty('ended')
  })

  it('marks links with the day on which they end', async () => {
    await weir.addChannel({ ...at, base_url: vendor.url })
    const ada = await weir.addCaller({ quota })
    await ask(weir, ada, 'POST', '/v1/videos', { model: 'kling-v3', prompt: 'a cat' })
    const [task] = await looks(weir, ada, 9)
    expect(JSON.parse(task!.files)).toEqual([
      { kind: 'video', url: expect.stringMatching(/\.mp4$/), until: 1_700_000_060_000 + 30 * 86_400_000 },
    ])
    // That was long ago.
    const content = await ask(weir, ada, 'GET', `/v1/videos/${task!.task_id}/content`)
    expect(content).toMatchObject({ status: 404, json: { error: { code: 'file_not_found' } } })
  })
})

describeWithGateway('callbacks', (weir) => {
  describe.each(filmVendors.filter(({ vendor }) => vendor.callback))(
    'of $name',
    ({ vendor: played, type, key, models, own }) => {
      let vendor: RunningVendor
      const heard: Record<string, unknown>[] = []
      let listener: Server
      beforeAll(async () => {
        vendor = await startVendor(played)
        listener = createServer((request, response) => {
          void json(request).then((told) => {
            heard.push(told as Record<string, unknown>)
            response.end()
          })
        })
        await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
      })
      afterAll(async () => {
        listener.close()
        await vendor.close()
      })

      it('lead to a look and are believed in nothing; those of the caller come from here', async () => {
        await weir.set('ServerAddress', weir.url)
        await weir.set('MjNotifyEnabled', 'true')
        await weir.set('AllowedNetworks', ['127.0.0.0/8'])
        await weir.addChannel({ type, key, base_url: vendor.url, models })
        const ada = await weir.addCaller({ quota })
        const callback_url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`
        const answer = await ask(weir, ada, 'POST', own.submit, { ...own.body, callback_url })
        expect(answer.status, answer.text).toBe(200)
        const { id, asked } = vendor.tasks.at(-1)!
        const address = String(asked.callback_url)
        expect(address).toMatch(new RegExp(`^${weir.url}/tasks/notify/\\w{32}$`))
        const forged = { ...own.tells[2], task_id: id, id }
        expect((await send('POST', address, { body: forged })).status).toBe(204)
        expect((await send('POST', `${address.slice(0, -1)}-`, { body: forged })).status).not.toBe(204)
        for (let step = 0; step < 5; step += 1) await vendor.advance(id)
        await expect.poll(async () => (await tasksOf(weir, ada))[0]?.status, { timeout: 10_000 }).toBe('SUCCESS')
        expect(await ada.balances()).toMatchObject({ quota: quota - own.dollars * DOLLAR })
        // As the vendor tells: the task alone.
        const done = own.tells[1] as Record<string, unknown>
        await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toMatchObject((done.data ?? done) as object)
      })
    },
  )
})

describeWithGateway('one name for films of several vendors', (weir) => {
  const [kling, wan] = filmVendors as [FilmVendor, FilmVendor]
  const running: RunningVendor[] = []
  beforeAll(async () => {
    for (const { vendor } of [kling, wan]) running.push(await startVendor(vendor))
  })
  afterAll(async () => {
    for (const one of running) await one.close()
  })

  it('leads to whoever can make it, and each is asked in its own words', async () => {
    await weir.set('VideoPrice', '{"film":0.1}')
    const to = [
      [kling, 'kling-v3', 10],
      [wan, 'wan2.7-t2v', 1],
    ] as const
    for (const [at, [{ type, key }, model, priority]] of to.entries())
      await weir.addChannel({
        ...{ type, key, base_url: running[at]!.url, models: 'film', priority },
        model_mapping: JSON.stringify({ film: model }),
      })
    const ada = await weir.addCaller({ quota })
    const made = async (asked: object) => {
      const answer = await ask(weir, ada, 'POST', '/v1/videos', { model: 'film', prompt: 'a cat', ...asked })
      expect(answer.status, answer.text).toBe(200)
      return answer.json as { id: string; model: string }
    }
    await made({ seconds: 4, resolution: '720p' })
    expect(running[0]!.tasks.at(-1)?.asked).toMatchObject({ model_name: 'kling-v3', duration: '4' })
    // Kling has no such ratio.
    const second = await made({ seconds: 4, resolution: '720p', aspect_ratio: '4:3' })
    expect([running[0]!.tasks.length, running[1]!.tasks.length]).toEqual([1, 1])
    expect(running[1]!.tasks[0]?.asked).toMatchObject({
      model: 'wan2.7-t2v',
      parameters: { ratio: '4:3', duration: 4 },
    })
    expect(second.model).toBe('film')
    expect(await ada.balances()).toMatchObject({ quota: quota - 2 * 4 * 0.1 * DOLLAR })
    await looks(weir, ada, 9)
    expect(await tasksOf(weir, ada)).toMatchObject([{ status: 'SUCCESS' }, { status: 'SUCCESS' }])
  })
})
