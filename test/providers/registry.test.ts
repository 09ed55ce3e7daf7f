// The registry: numbers, addresses, keys, and a price for every model that is offered.
import { describe, expect, it } from 'vitest'
import type { KeyedChannel } from '../../core/channels/channel.ts'
import { providerOf, providers, providerTypes } from '../../core/providers/index.ts'
import { urlOf } from '../../core/providers/provider.ts'
import { modelPrice, modelRatio } from '../../core/settings/model-prices.data.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'

const channel = (more: Partial<KeyedChannel> = {}) =>
  ({ key: 'KEY', base_url: '', openai_organization: '', setting: '', ...more }) as KeyedChannel
const settings = defaultSettings()
const head = { model: 'm', stream: false, include_usage: false, prompt_estimate: 1 }
const url = (type: number, base_url = '', model = 'm', door = 0) => {
  const provider = providerOf(type)!
  return urlOf(provider, provider.chat![door]!, channel({ base_url }), model, head, settings)
}

describe('the registry', () => {
  it('has each number, id and name once', () => {
    for (const key of ['type', 'id', 'name'] as const) {
      expect(new Set(providers.map((one) => one[key])).size).toBe(providers.length)
    }
    expect(providerTypes).toEqual(providers.map((one) => one.type))
    expect(providerOf(999)).toBeUndefined()
  })

  it.each(providers.filter((one) => one.id !== 'sandbox'))(
    '$name offers only models with a price, each once',
    ({ models }) => {
      expect(models.filter((name) => !(name in modelRatio) && !(name in modelPrice))).toEqual([])
      expect(new Set(models).size).toBe(models.length)
    },
  )

  it.each(providers)('$name has a door and proves who pays', (one) => {
    expect(one.chat!.length).toBeGreaterThan(0)
    if (one.base_url) expect(() => new URL(urlOf(one, one.chat![0]!, channel(), 'm', head, settings))).not.toThrow()
    else expect(one.fields.base_url?.required).toBe(true)
    expect(Object.values(one.authorize(channel())).join()).toMatch(one.id === 'sandbox' ? /^$/ : /KEY/)
    for (const name of Object.keys(one.authorize(channel()))) expect(name).toBe(name.toLowerCase())
  })
})

describe('addresses', () => {
  it.each([
    [1, 'https://api.openai.com/v1/chat/completions'],
    [4, 'http://localhost:11434/v1/chat/completions'],
    [14, 'https://api.anthropic.com/v1/messages'],
    [20, 'https://openrouter.ai/api/v1/chat/completions'],
    [24, 'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent'],
    [26, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [27, 'https://api.perplexity.ai/chat/completions'],
    [45, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [46, 'https://qianfan.baidubce.com/v2/chat/completions'],
    [1001, 'https://api.groq.com/openai/v1/chat/completions'],
    [1003, 'https://api.fireworks.ai/inference/v1/chat/completions'],
  ])('of type %i', (type, expected) => {
    expect(url(type)).toBe(expected)
  })

  it('may be pasted with or without the version', () => {
    expect(url(1, 'https://host/v1')).toBe('https://host/v1/chat/completions')
    expect(url(1, 'https://host/v1/')).toBe('https://host/v1/chat/completions')
    expect(url(1, 'https://host/v1/chat/completions')).toBe('https://host/v1/chat/completions')
    expect(url(24, 'https://host/v1beta/openai/')).toBe('https://host/v1beta/models/m:generateContent')
    expect(url(26, 'https://host/api/paas/v4')).toBe('https://host/api/paas/v4/chat/completions')
    expect(url(45, 'https://host/api/v3')).toBe('https://host/api/v3/chat/completions')
    expect(url(27, 'https://host/chat')).toBe('https://host/chat/chat/completions')
  })

  it('of other doors stand beside the first', () => {
    expect(url(1, '', 'm', 1)).toBe('https://api.openai.com/v1/responses')
    expect(url(1, 'https://host/v1/chat/completions', 'm', 1)).toBe('https://host/v1/responses')
    expect(url(43, '', 'm', 1)).toBe('https://api.deepseek.com/responses')
    expect(url(45, '', 'm', 1)).toBe('https://ark.cn-beijing.volces.com/api/v3/responses')
    for (const one of providers) {
      for (const at of one.chat!.keys())
        if (one.base_url) expect(() => new URL(url(one.type, '', 'm', at))).not.toThrow()
    }
  })

  it.each([
    ['gpt-4o', [true, true, false]],
    ['gpt-5.2-pro', [false, true, false]],
    ['gpt-5.1-codex-max', [false, true, false]],
    ['codex-mini-latest', [false, true, false]],
    ['o3-deep-research', [false, true, false]],
    ['gpt-3.5-turbo-instruct', [true, true, true]],
    ['gemini-2.5-pro', [true, true, true]],
  ])('of OpenAI serve %s', (model, served) => {
    expect(providerOf(1)!.chat!.map(({ serves }) => serves?.(model) ?? true)).toEqual(served)
  })

  it('of a custom channel is used as it is', () => {
    expect(url(8, 'https://host/a/{model}/b?x=1', 'my model')).toBe('https://host/a/my%20model/b?x=1')
  })

  it('of a bot at VolcEngine is its own', () => {
    expect(url(45, '', 'bot-1')).toBe('https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions')
  })
})

describe('keys', () => {
  const authorize = (type: number, more: Partial<KeyedChannel> = {}) => providerOf(type)!.authorize(channel(more))

  it('go as a bearer, with what a vendor wants beside', () => {
    expect(authorize(43)).toEqual({ authorization: 'Bearer KEY' })
    expect(authorize(1, { openai_organization: 'org' })).toEqual({
      authorization: 'Bearer KEY',
      'openai-organization': 'org',
    })
    expect(authorize(20)).toMatchObject({ authorization: 'Bearer KEY', 'x-title': 'Weir' })
    expect(authorize(46, { key: 'K|app' })).toEqual({ authorization: 'Bearer K', appid: 'app' })
    expect(authorize(4, { key: '' })).toEqual({})
  })
})
