// The played proxy does what its pages say, so that what is tested against it means something.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { MADE, startVendor, type RunningVendor } from '../vendor.ts'
import { playMidjourney, type MidjourneySays } from './midjourney.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

interface Told {
  code?: number
  result?: unknown
  id?: string
  status?: string
  progress?: string
  imageUrl?: string
  properties?: Record<string, unknown>
  buttons?: { customId: string }[]
}

async function proxy(said: Partial<MidjourneySays> = {}) {
  const vendor = playMidjourney(said)
  const running = await startVendor(vendor)
  open.push(running)
  const ask = async (path: string, body?: object, secret = 'mj-secret') => {
    const response = await fetch(`${running.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'mj-api-secret': secret, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, json: (await response.json()) as Told & Told[] }
  }
  const done = async (id: unknown) => {
    for (let looks = 0; looks < 6; looks++) {
      const { json: told } = await ask(`/mj/task/${String(id)}/fetch`)
      if (told.status === 'SUCCESS') return told
    }
    throw new Error(`${String(id)} does not end`)
  }
  return { ...running, says: vendor.says, ask, done }
}

describe('a played Midjourney proxy', () => {
  it('wants its secret', async () => {
    const { ask } = await proxy()
    expect((await ask('/mj/submit/imagine', { prompt: 'a cat' }, 'another')).status).toBe(401)
    expect((await ask('/mj-turbo/mj/submit/imagine', { prompt: 'a cat' })).json).toMatchObject({ code: 1 })
    expect((await ask('/mj-loud/mj/submit/imagine', { prompt: 'a cat' })).status).toBe(404)
  })

  it('draws step by step, and shows the picture and its buttons', async () => {
    const { ask, done } = await proxy()
    const { json } = await ask('/mj/submit/imagine', { prompt: 'a cat' })
    const ids = { ids: [json.result, '404'] }
    const steps = []
    for (let look = 0; look < 4; look++) steps.push((await ask('/mj/task/list-by-condition', ids)).json)
    expect(steps.map((step) => step.map(({ status, progress }) => `${status} ${progress}`))).toEqual([
      ['SUBMITTED 0%'],
      ['IN_PROGRESS 30%'],
      ['IN_PROGRESS 60%'],
      ['SUCCESS 100%'],
    ])
    const drawn = await done(json.result)
    expect(drawn.buttons).toHaveLength(9)
    const picture = await fetch(drawn.imageUrl!)
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(MADE)
    expect((await ask(`/mj/task/${String(json.result)}/image-seed`)).json).toMatchObject({ code: 1 })
  })

  it.each([
    ['/mj/submit/change', { action: 'UPSCALE', index: 1 }, 'UPSCALE'],
    ['/mj/submit/simple-change', {}, 'VARIATION'],
    ['/mj/submit/action', { customId: 'MJ::JOB::pan_left::1::x::SOLO' }, 'PAN'],
    ['/mj/submit/describe', { base64: 'data:image/png;base64,AA==' }, 'DESCRIBE'],
    ['/mj/submit/blend', { base64Array: ['a', 'b'] }, 'BLEND'],
    ['/mj/submit/shorten', { prompt: 'a very long cat' }, 'SHORTEN'],
    ['/mj/insight-face/swap', { sourceBase64: 'a', targetBase64: 'b' }, 'SWAP_FACE'],
  ])('%s is a task', async (path, body, action) => {
    const { ask, done } = await proxy()
    const { json: origin } = await ask('/mj/submit/imagine', { prompt: 'a cat' })
    const asked = { taskId: origin.result, content: `${String(origin.result)} V2`, ...body }
    const { json } = await ask(path, asked)
    expect(json).toMatchObject({ code: 1 })
    expect(await done(json.result)).toMatchObject({ action })
  })

  it('opens a window for what needs one, and goes on with the same task when it is filled in', async () => {
    const { ask, done } = await proxy()
    const { json: origin } = await ask('/mj/submit/imagine', { prompt: 'a cat' })
    const pressed = { taskId: origin.result, customId: 'MJ::CustomZoom::x' }
    const { json: opened } = await ask('/mj/submit/action', pressed)
    expect(opened).toMatchObject({ code: 21 })
    const wait = async () => (await ask(`/mj/task/${String(opened.result)}/fetch`)).json.status
    expect([await wait(), await wait(), await wait()]).toEqual(['MODAL', 'MODAL', 'MODAL'])
    const { json: filled } = await ask('/mj/submit/modal', { taskId: opened.result, prompt: 'a cat --zoom 1.8' })
    expect(filled).toMatchObject({ code: 1, result: opened.result })
    expect(await done(filled.result)).toMatchObject({ prompt: 'a cat --zoom 1.8' })
    expect((await ask('/mj/submit/modal', { taskId: opened.result })).json).toMatchObject({ code: 4 })
  })

  it('answers an upload with addresses', async () => {
    const { ask } = await proxy()
    const { json } = await ask('/mj/submit/upload-discord-images', { base64Array: ['a', 'b'] })
    expect(json.result).toEqual([expect.stringContaining('-1.png'), expect.stringContaining('-2.png')])
  })

  it.each([3, 4, 9, 21, 22, 23, 24] as const)('says code %i when it is told to', async (code) => {
    const { ask, tasks } = await proxy({ code })
    const { json } = await ask('/mj/submit/imagine', { prompt: 'a cat' })
    expect(json.code).toBe(code)
    expect(tasks).toHaveLength(code === 21 || code === 22 ? 1 : 0)
    if (code === 24) expect(json.properties).toMatchObject({ bannedWord: 'naked' })
  })

  it('calls back when a task changes, and only then', async () => {
    const heard: Told[] = []
    const listener = createServer((request, response) => {
      void json(request).then((told) => {
        heard.push(told as Told)
        response.end()
      })
    })
    await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
    open.push(listener)
    const notifyHook = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`
    const { ask, advance, callbacks }: RunningVendor & Awaited<ReturnType<typeof proxy>> = await proxy()
    const { json: drawn } = await ask('/mj/submit/imagine', { prompt: 'a cat', notifyHook })
    for (let step = 0; step < 6; step++) await advance(String(drawn.result))
    expect(heard.map(({ status, progress }) => `${status} ${progress}`)).toEqual([
      'SUBMITTED 0%',
      'IN_PROGRESS 30%',
      'IN_PROGRESS 60%',
      'SUCCESS 100%',
    ])
    callbacks('early')
    const { json: early } = await ask('/mj/submit/imagine', { prompt: 'a cat', notifyHook })
    expect(heard.at(-1)).toMatchObject({ id: early.result, status: 'IN_PROGRESS' })
  })
})
