// Channel keys never leave: not to another address, not by another way, not in a reply, and no change goes unrecorded.
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import type { Channel } from '../../core/channels/channel.ts'
import { newChannel } from '../storage/samples.ts'
import { describeWithGateway, UPSTREAM_KEY } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const SETTING = {
  headers: { 'x-org': 'planted-header', 'x-more': 'planted-other' },
  proxy: 'http://ada:planted-password@127.0.0.1:9',
  system_prompt: 'Be brief',
}
const PLANTED = ['planted-header', 'planted-other', 'planted-password']
/** They change none that is kept. */
const KEEP_NOTHING = ['channels.fetchModelsNew', 'channels.try', 'channels.consequences']
const setting = (change: object = {}) => JSON.stringify({ ...SETTING, ...change })

describeWithGateway('channel keys', (weir) => {
  const key = 'the key, again'
  const update = async (id: number, body: object) =>
    (await weir.root.send('PUT', '/api/channel/', { body: { id, ...body } })).json
  const stored = (id: number) => weir.gateway.ports.storage.channels.find(id)

  it('are asked for again by what decides where they go, on the channel and on its copy', async () => {
    const made = await weir.addChannel({ setting: setting() })
    const copy = await weir.root.client.channels.copy({ id: made.id })
    expect((await stored(copy.id))?.key).toBe(UPSTREAM_KEY)
    const changes: Record<string, object> = {
      'the base URL': { base_url: 'https://evil.example' },
      'the path of it': { base_url: `${made.base_url}/elsewhere` },
      'none, which is the default of the type': { base_url: '' },
      'the type': { type: 43 },
      'the proxy': { setting: setting({ proxy: 'http://evil.example' }) },
      'no proxy': { setting: setting({ proxy: undefined }) },
      'a header': { setting: setting({ headers: { ...SETTING.headers, 'x-new': 'x' } }) },
      'no headers': { setting: '' },
    }
    for (const { id } of [made, copy]) {
      const before = await stored(id)
      for (const [what, change] of Object.entries(changes)) {
        for (const blank of [{}, { key: '' }, { key: '  ' }]) {
          expect((await update(id, { ...change, ...blank })).code, what).toBe('channel.key_again')
        }
        expect(await stored(id), what).toEqual(before)
      }
      for (const [what, change] of Object.entries(changes)) {
        expect((await update(id, { ...change, key })).success, what).toBe(true)
        expect((await stored(id))?.key, what).toBe(key)
        await update(id, { type: made.type, base_url: made.base_url, setting: setting(), key })
      }
      // What is as it was, or goes nowhere else, asks for nothing.
      const shown = await weir.root.client.channels.get({ id })
      expect((await update(id, { ...shown, name: 'renamed' })).success).toBe(true)
      const prompt = { setting: JSON.stringify({ ...JSON.parse(shown.setting), system_prompt: 'Be long' }) }
      expect((await update(id, prompt)).success).toBe(true)
      expect(JSON.parse((await stored(id))?.setting ?? '')).toEqual({ ...SETTING, system_prompt: 'Be long' })
    }
  })

  it('have a setting whose headers and proxy password are sealed, masked in every reply, and kept by masks', async () => {
    const made = await weir.addChannel({ setting: setting(), tag: 'planted' })
    const masked = JSON.parse(made.setting)
    expect(masked).toEqual({
      ...SETTING,
      headers: { 'x-org': '***', 'x-more': '***' },
      proxy: 'http://ada:***@127.0.0.1:9/',
    })
    const id = made.id
    for (const [name, { method, path, access }] of endpointsByName) {
      if (method !== 'GET' || access === 'public') continue
      const plain = '?keyword=&page_size=100&model=gpt-4o-mini'
      for (const query of name.startsWith('channels.') ? [plain, '?tag_mode=true'] : [plain]) {
        const { text } = await weir.root.send('GET', path.replace(/\{\w+\}/g, String(id)) + query)
        for (const secret of PLANTED) expect(text.includes(secret), `${name}: ${secret}`).toBe(false)
      }
    }
    const one = (change: object) => update(id, { setting: JSON.stringify({ ...masked, ...change }) })
    // A mask stands for what is stored under its name, and for nothing else.
    expect((await one({ headers: { 'x-new': '***' } })).code).toBe('channel.masked')
    expect((await one({ proxy: 'http://ada:***@evil.example/' })).code).toBe('channel.masked')
    expect((await one({ proxy: 'http://evil.example/' })).code).toBe('channel.masked')
    const moved = { base_url: 'https://evil.example', setting: made.setting, key }
    expect((await update(id, moved)).code).toBe('channel.masked')
    const fresh = { name: 'new', key, models: 'm', setting: made.setting }
    expect((await weir.root.send('POST', '/api/channel/', { body: fresh })).json.code).toBe('channel.masked')
    expect((await update(id, { setting: made.setting, weight: 3 })).success).toBe(true)
    expect(JSON.parse((await stored(id))?.setting ?? '')).toEqual(SETTING)
    // A setting that says what storage says of itself is read back as any other.
    const odd = newChannel({ setting: '{"sealed": "not at all"}' })
    const [kept] = await weir.gateway.ports.storage.channels.insert([odd])
    expect((await stored(kept!.id))?.setting).toBe(odd.setting)
  })

  it('go where they went: the call has the headers that were sealed', async () => {
    const { proxy: _, ...direct } = SETTING
    await weir.addChannel({ setting: JSON.stringify(direct) })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect((await ada.chat()).status).toBe(200)
    expect(weir.upstream.requests[0]?.headers).toMatchObject(direct.headers)
  })

  it('have every change of their channel in the audit, by whatever endpoint, without a secret', async () => {
    const rows = async () => (await weir.root.client.audit.list({ page_size: 100 })).items
    const { client } = weir.root
    let made: Channel = await weir.addChannel({ setting: setting(), tag: 'one' })
    const { id } = made
    const steps: Record<string, () => Promise<unknown>> = {
      'channels.update': () => client.channels.update({ id, name: 'renamed', key }),
      'channels.copy': async () => (made = await client.channels.copy({ id })),
      'channels.tagMany': () => client.channels.tagMany({ ids: [id, made.id], tag: 'two' }),
      'channels.updateTag': () => client.channels.updateTag({ tag: 'two', weight: 7 }),
      'channels.disableTag': () => client.channels.disableTag({ tag: 'two' }),
      'channels.enableTag': () => client.channels.enableTag({ tag: 'two' }),
      'channels.switchMany': () => client.channels.switchMany({ ids: [id, made.id], status: 2 }),
      'channels.repair': async () => {
        await weir.gateway.ports.storage.channels.update(id, { models: 'b,,b,c' })
        await client.channels.repair()
      },
      'channels.addKeys': () => client.channels.addKeys({ id, key: `${key} too` }),
      'channels.manageKeys': async () => {
        const [first] = await client.channels.keys({ id })
        await client.channels.manageKeys({ id, keys: [first!.fingerprint], action: 'remove' })
      },
      'channels.delete': () => client.channels.delete({ id }),
      'channels.deleteDisabled': async () => {
        await client.channels.update({ id: made.id, status: 2 })
        await client.channels.deleteDisabled()
      },
      'channels.create': async () => (made = await weir.addChannel({ setting: setting() })),
      'channels.deleteMany': () => client.channels.deleteMany({ ids: [made.id] }),
    }
    const changing = [...endpointsByName].filter(
      ([name, { method }]) => name.startsWith('channels.') && method !== 'GET',
    )
    expect(Object.keys(steps).sort()).toEqual(
      changing.flatMap(([name]) => (KEEP_NOTHING.includes(name) ? [] : [name])).sort(),
    )
    for (const [name, step] of Object.entries(steps)) {
      const before = (await rows())[0]?.id ?? 0
      await step()
      const [last] = await rows()
      expect(last!.id, name).toBeGreaterThan(before)
      expect(last, name).toMatchObject({ username: 'root', via: 'session' })
      expect(last!.action, name).toMatch(/^channel\.(create|update|copy|delete|add_keys|remove_keys)$/)
    }
    const all = JSON.stringify(await rows())
    for (const secret of [...PLANTED, UPSTREAM_KEY, key]) expect(all, secret).not.toContain(secret)
    expect(all).toContain('renamed')
  })
})
