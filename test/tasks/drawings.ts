// A scripted Midjourney proxy, reset for every test, and clients who draw, for the tests of drawings.
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Caller } from '../support/caller.ts'
import type { TestGateway } from '../support/gateway.ts'
import type { HttpAnswer } from '../support/server.ts'
import { ask, looks } from './site.ts'
import { startVendor, type RunningVendor, type VendorRequest } from './vendor.ts'
import { playMidjourney } from './vendors/midjourney.ts'

/** What a drawing costs by the tables, in quota units: 10 cents and 5. */
export const CENTS_10 = 50_000
export const CENTS_5 = 25_000

const MODELS = [
  ...['mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_modal', 'mj_zoom', 'mj_shorten', 'mj_upload'],
  ...['mj_high_variation', 'mj_low_variation', 'mj_pan', 'mj_inpaint', 'mj_custom_zoom', 'mj_describe', 'mj_upscale'],
  'swap_face',
].join(',')

/** Call it where the tests are declared: it starts and ends the proxy with them. */
export function drawingSite(weir: TestGateway) {
  const played = playMidjourney()
  const running = {} as RunningVendor
  beforeAll(async () => {
    Object.assign(running, await startVendor(played))
  })
  afterAll(() => running.close())
  afterEach(() => {
    Object.assign(played.says, { code: 1, numbers: false, newModalIds: false, strays: false, cancels: false })
    running.mood('well')
    running.mood('well', 'looks')
    running.course('done')
    running.callbacks('well')
    running.requests.length = 0
  })
  const post = (who: Caller, path: string, body: object): Promise<HttpAnswer> => ask(weir, who, 'POST', path, body)
  return {
    played,
    vendor: running,
    post,
    /** A channel at the proxy, of Plus. */
    channel: (fields: object = {}) =>
      weir.addChannel({ type: 5, base_url: running.url, key: 'mj-secret', models: MODELS, ...fields }),
    /** The last submission that the proxy has seen. */
    asked: (): VendorRequest => running.requests.findLast(({ path }) => /submit|insight/.test(path))!,
    fetched: async (who: Caller, id: string) => (await ask(weir, who, 'GET', `/mj/task/${id}/fetch`)).json,
    /** Submits, and looks until it is over; gives its id. */
    async drawn(who: Caller, path = '/mj/submit/imagine', body: object = { prompt: 'a cat' }): Promise<string> {
      const answer = await post(who, path, body)
      expect(answer.status, answer.text).toBe(200)
      await looks(weir, who, 6)
      return String(answer.json.result)
    },
  }
}
