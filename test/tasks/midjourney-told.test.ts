// Access to drawings other than their lists: pictures without a key, and callbacks of the proxy and to the client.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { CENTS_10, drawingSite } from './drawings.ts'
import { looks, tasksOf } from './site.ts'
import { MADE } from './vendor.ts'

describeWithGateway('of drawings', (weir) => {
  const { vendor, post, channel, asked, fetched, drawn } = drawingSite(weir)

  describe('the picture', () => {
    const picture = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

    it('is shown to who has its address, in parts and once, and to nobody who guesses', async () => {
      await weir.set('ServerAddress', weir.url)
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const id = await drawn(ada)
      const { imageUrl } = await fetched(ada, id)
      const whole = await picture(imageUrl)
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(MADE)
      expect(whole.headers.get('content-type')).toBe('image/png')
      expect(whole.headers.get('cache-control')).toBe('private, max-age=86400')
      const etag = whole.headers.get('etag')!
      expect((await picture(imageUrl, { 'if-none-match': etag })).status).toBe(304)
      const part = await picture(imageUrl, { range: 'bytes=0-3' })
      expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4])
      for (const guess of [id, 'x', `${imageUrl.split('/').at(-1)}x`]) {
        expect((await picture(`${weir.url}/mj/image/${guess}`)).status, guess).toBe(404)
      }
    })

    it('has the address of the proxy where the operator says so', async () => {
      await weir.set('MjForwardUrlEnabled', 'false')
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const id = await drawn(ada)
      expect((await fetched(ada, id)).imageUrl).toBe(`${vendor.url}/attachments/${id}/IMAGINE-1.png`)
    })

    it.each([
      ['inside the network', 'http://127.0.0.1:1/x.png'],
      ['inside the network, by https', 'https://127.0.0.1:1/x.png'],
      ['of another kind', 'file:///etc/passwd'],
      ['none', 'nowhere'],
    ])('is not fetched from an address %s', async (_, image_url) => {
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const { json } = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
      const [row] = await tasksOf(weir, ada)
      await weir.gateway.ports.storage.tasks.update(row!.id, { image_url })
      expect((await picture(`${weir.url}/mj/image/${row!.notify_key}`)).status).toBe(404)
      expect(json.code).toBe(1)
    })
  })

  describe('callbacks', () => {
    let listener: Server
    const heard: Record<string, unknown>[] = []
    beforeAll(async () => {
      listener = createServer((request, response) => {
        void json(request).then((told) => {
          heard.push(told as Record<string, unknown>)
          response.end()
        })
      })
      await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
    })
    afterAll(() => listener.close())
    const hook = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`

    it('of the proxy are believed in nothing: they lead to a look, which is', async () => {
      await weir.set('ServerAddress', weir.url)
      await weir.set('MjNotifyEnabled', 'true')
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const { json: taken } = await post(ada, '/mj/submit/imagine', { prompt: 'a cat' })
      const address = asked().json.notifyHook as string
      const forged = { id: taken.result, status: 'FAILURE', progress: '100%', failReason: 'forged' }
      expect((await send('POST', address, { body: forged })).status).toBe(204)
      const status = async () => (await fetched(ada, taken.result)).status as string
      await expect.poll(status, { timeout: 15_000 }).not.toBe('NOT_START')
      expect(await status()).not.toBe('FAILURE')
      expect((await send('POST', `${address}x`, { body: forged })).status).toBe(404)
      const known = await post(ada, '/mj/notify', forged)
      expect(known.status).toBe(200)
      const bob = await weir.addCaller({ quota: 0 })
      expect((await post(bob, '/mj/notify', forged)).status).toBe(404)
      for (let step = 0; step < 4; step++) await vendor.advance(taken.result)
      await expect.poll(status, { timeout: 15_000 }).toBe('SUCCESS')
      expect((await ada.balances()).quota).toBe(9 * CENTS_10)
    })

    it('before the answer change nothing', async () => {
      await weir.set('ServerAddress', weir.url)
      await weir.set('MjNotifyEnabled', 'true')
      vendor.callbacks('early')
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const id = await drawn(ada)
      expect(await fetched(ada, id)).toMatchObject({ status: 'SUCCESS' })
      expect((await ada.balances()).quota).toBe(9 * CENTS_10)
    })

    it('to the caller come from here, with our addresses, where operators allow them', async () => {
      await weir.set('ServerAddress', weir.url)
      await weir.set('MjNotifyEnabled', 'true')
      await weir.set('AllowedNetworks', ['127.0.0.0/8'])
      await channel()
      const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
      const { json: taken } = await post(ada, '/mj/submit/imagine', {
        prompt: 'a cat',
        notifyHook: hook(),
        state: 'mine',
      })
      vendor.callbacks('none')
      await looks(weir, ada, 6)
      await expect.poll(() => heard.at(-1)?.status, { timeout: 5000 }).toBe('SUCCESS')
      expect(heard.at(-1)).toMatchObject({ id: taken.result, state: 'mine', progress: '100%' })
      expect(JSON.stringify(heard)).not.toContain(vendor.url)
      await weir.set('MjNotifyEnabled', 'false')
      heard.length = 0
      await drawn(ada, '/mj/submit/imagine', { prompt: 'a cat', notifyHook: hook() })
      expect(heard).toEqual([])
    })
  })
})
