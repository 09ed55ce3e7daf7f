// The registry: numbers, keys, and a price for every model that is offered.
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { ChannelWithKey } from '../../core/channels/channel.ts'
import type { UnsignedRequest } from '../../core/ports/signer.ts'
import { addProvider, findProvider, allProviders } from '../../core/providers/index.ts'
import { provider } from '../../core/providers/provider.ts'
import { findFilmModel } from '../../core/dialects/tasks/film.ts'
import { getModelKind } from '../../core/models/model-facts.ts'
import { filmPrices } from '../../core/settings/film-prices.data.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'
import { listFailures } from '../support/list-failures.ts'
import { channel, needed, signer, url, urlWith } from './any-channel.ts'

const unsigned: UnsignedRequest = { method: 'POST', url: 'https://host', headers: {}, guarded: false }
/** Types whose calls are tasks, and those that serve no chat. */
const declared = [2, 5, 36, 38, 44, 50, 51, 52, 1008, 1015]
const callable = allProviders.filter(({ type }) => !declared.includes(type))
const nameProvider = ({ name }: { name: string }): string => name

describe('the registry', () => {
  it('has each number, id and name once', () => {
    for (const key of ['type', 'id', 'name'] as const) {
      expect(new Set(allProviders.map((one) => one[key])).size).toBe(allProviders.length)
    }
    expect(allProviders.map(({ type }) => findProvider(type))).toEqual(allProviders)
    expect(findProvider(999)).toBeUndefined()
  })

  it('offers only models with a price, each once', async () => {
    const { ModelRatio, ModelPrice, VideoPrice } = defaultSettings()
    const priced = { ...ModelRatio, ...ModelPrice, ...VideoPrice }
    const real = allProviders.filter((one) => one.id !== 'sandbox')
    const failures = await listFailures(real, nameProvider, ({ models }) => {
      expect(models.filter((name) => !(name in priced))).toEqual([])
      expect(new Set(models).size).toBe(models.length)
    })
    expect(failures).toEqual([])
  })

  it('offers films that their provider can make, and none that its vendor ended', async () => {
    const makers = allProviders.filter(({ tasks }) => tasks?.some(({ dialect }) => dialect.models))
    const failures = await listFailures(makers, nameProvider, ({ models, tasks = [] }) => {
      for (const { dialect, serves } of tasks.filter(({ dialect }) => dialect.models)) {
        const films = models.filter((name) => name in filmPrices && (serves?.(name) ?? true))
        for (const name of films) expect(findFilmModel(name, dialect.models ?? []), name).toMatchObject({})
        expect(films.filter((name) => findFilmModel(name, dialect.models ?? [])?.ended)).toEqual([])
      }
    })
    expect(failures).toEqual([])
  })

  it('knows every model that is priced by the second as a film', () => {
    const names = Object.keys(filmPrices)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => getModelKind(name) !== 'video')).toEqual([])
  })

  it('has every type from 1 to 49 but the four that never were', () => {
    const never = new Set([28, 29, 30, 32])
    const all = Array.from({ length: 49 }, (_, at) => at + 1).filter((type) => !never.has(type))
    const types = allProviders.map(({ type }) => type)
    expect(types.filter((type) => type < 50)).toEqual(all)
    // Numbers that others have given since, whatever for, stay theirs.
    expect(types.filter((type) => type >= 50 && type < 1000)).toEqual([50, 51, 52, 53])
  })

  it('has an endpoint of each provider of chats, and proves who pays', async () => {
    const failures = await listFailures(callable, nameProvider, async (one) => {
      expect(one.chat!.length).toBeGreaterThan(0)
      if (one.base_url) expect(() => new URL(url(one.type))).not.toThrow()
      else expect(one.fields.base_url?.required).toBe(true)
      const of = channel(needed[one.type])
      const prove = one.chat![0]!.query ?? one.authorize
      const proof = await prove(of, unsigned, { signer })
      expect(Object.values(proof).join()).toMatch(one.id === 'sandbox' ? /^$/ : /KEY|token of \d+/)
      for (const name of Object.keys(proof)) expect(name).toBe(name.toLowerCase())
    })
    expect(failures).toEqual([])
  })

  it('has no endpoint for chats of the others, and asks for their key', async () => {
    const others = allProviders.filter(({ type }) => declared.includes(type))
    const failures = await listFailures(others, nameProvider, (one) => {
      expect(one.chat).toBeUndefined()
      expect(one.fields.key?.required).toBe(true)
    })
    expect(failures).toEqual([])
  })
})

describe("a provider of one's own", () => {
  // It cannot be taken away again, and other files share what is loaded.
  afterAll(() => vi.resetModules())
  const own = provider({ type: 5000, id: 'own', name: 'Own', base_url: 'https://own.test', models: [] })

  it("is found like the others, and takes nobody else's number or id", () => {
    addProvider(own)
    expect(findProvider(5000)).toBe(own)
    expect(allProviders).toContain(own)
    expect(() => addProvider(own)).toThrow('5000')
    expect(() => addProvider({ ...own, type: 5001, id: 'openai' })).toThrow('openai')
  })
})

describe('keys', () => {
  const authorize = (type: number, more: Partial<ChannelWithKey> = {}) =>
    findProvider(type)!.authorize(channel(more), unsigned, { signer })

  it('go as a bearer, with what a vendor wants beside', () => {
    expect(authorize(43)).toEqual({ authorization: 'Bearer KEY' })
    expect(authorize(1, { openai_organization: 'org' })).toEqual({
      authorization: 'Bearer KEY',
      'openai-organization': 'org',
    })
    expect(authorize(20)).toEqual({ authorization: 'Bearer KEY' })
    expect(authorize(46, { key: 'K|app' })).toEqual({ authorization: 'Bearer K', appid: 'app' })
    expect(authorize(4, { key: '' })).toEqual({})
    expect(authorize(3)).toEqual({ 'api-key': 'KEY' })
    expect(authorize(17, { other: '{"calculator":{}}' })).toMatchObject({ 'x-dashscope-plugin': '{"calculator":{}}' })
    expect(authorize(18, { key: 'password' })).toEqual({ authorization: 'Bearer password' })
    expect(authorize(33, { key: 'token|us-east-1' })).toEqual({ authorization: 'Bearer token' })
  })

  it('of a wrong form are refused before anything is sent', async () => {
    for (const key of ['KEY', 'A|B|C|D', '|us-east-1', 'A||us-east-1']) {
      expect(() => authorize(33, { key })).toThrow(expect.objectContaining({ code: 'channel.key_format' }))
    }
    for (const key of ['KEY', 'A|', 'A|B|C']) {
      const { query } = findProvider(15)!.chat![0]!
      await expect(async () => query!(channel({ key }), unsigned, { signer })).rejects.toMatchObject({
        code: 'channel.key_format',
      })
    }
    expect(() => authorize(23, { key: 'app|id|secret' })).toThrow(
      expect.objectContaining({ code: 'channel.key_format' }),
    )
    expect(() => urlWith(41, { key: 'no JSON' })).toThrow(expect.objectContaining({ code: 'channel.key_format' }))
  })
})

it('says of every field of a type what it is called in both languages, and of its own one what to write there', () => {
  const wrong = allProviders.flatMap(({ id, fields }) =>
    Object.entries(fields).flatMap(([name, { label, help }]) => [
      ...(label.en && label.zh && label.en !== label.zh ? [] : [`${id} ${name}: its label`]),
      ...(name === 'other' && !(help?.en && help.zh) ? [`${id} ${name}: its help`] : []),
    ]),
  )
  expect(wrong).toEqual([])
})
