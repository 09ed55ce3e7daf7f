// The address of each upstream endpoint, for each model, with the settings of its channel.
import { describe, expect, it } from 'vitest'
import type { CallerDialect } from '../../core/dialects/dialect.ts'
import { CALL_OPERATIONS } from '../../core/models/operation.ts'
import { findCallEndpoint } from '../../core/providers/provider.ts'
import { findProvider, allProviders } from '../../core/providers/index.ts'
import { joinProviderPath, buildEndpointUrl } from '../../core/providers/address.ts'
import { channel, doorOf, head, needed, settings, url, urlWith } from './any-channel.ts'

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
    [11, 'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent'],
    [16, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [17, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [18, 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
    [22, 'https://fastgpt.run/api/openapi/v1/chat/completions'],
    [23, 'https://api.hunyuan.cloud.tencent.com/v1/chat/completions'],
    [34, 'https://api.cohere.ai/compatibility/v1/chat/completions'],
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

  it.each([
    [1, 'https://host/v1/v1', 'https://host/v1/chat/completions'],
    [1, 'https://host/api/paas/v4', 'https://host/api/paas/v4/chat/completions'],
    [1, 'https://host/v1beta/openai', 'https://host/v1beta/openai/chat/completions'],
    [26, 'https://host/api/coding/paas/v4', 'https://host/api/coding/paas/v4/chat/completions'],
    [43, 'https://api.deepseek.com/anthropic', 'https://api.deepseek.com/v1/chat/completions'],
    [43, 'https://api.deepseek.com/anthropic/v1/messages', 'https://api.deepseek.com/v1/chat/completions'],
    [14, 'https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/messages'],
    [14, 'https://api.deepseek.com/anthropic/v1', 'https://api.deepseek.com/anthropic/v1/messages'],
    [20, 'https://openrouter.ai/api/v1/messages', 'https://openrouter.ai/api/v1/chat/completions'],
  ])('of type %i may be pasted as %s', (type, typed, expected) => {
    expect(url(type, typed)).toBe(expected)
  })

  it('may be pasted as that of any of the provider’s formats', () => {
    const typed = allProviders.flatMap((one) => {
      const doors = CALL_OPERATIONS.flatMap((operation) => one[operation] ?? []).filter(
        ({ path }) => typeof path === 'string',
      )
      const paths = doors.map(({ path }) => path as string)
      const heads = paths.flatMap((path) => path.split('/').map((_, count, all) => all.slice(0, count + 1).join('/')))
      const pasted = heads.filter((head) => /\/v\d/.test(head) || head.endsWith('/anthropic'))
      return pasted.flatMap((head) => doors.map((door) => ({ one, door, head })))
    })
    expect(typed.length).toBeGreaterThan(300)
    for (const { one, door, head: pasted } of typed) {
      const base = 'https://host/base'
      const at = buildEndpointUrl(one, door, channel({ base_url: base + pasted }), 'm', head, settings)
      expect(at, `${one.name} ${pasted}`).toBe(base + (door.path as string))
    }
  })

  it('of lists of models are joined by the same rule', () => {
    for (const one of allProviders) {
      const { models_path: path, name } = one
      if (typeof path !== 'string') continue
      for (const pasted of ['', '/', '/v1', '/v1/chat/completions', path]) {
        const at = joinProviderPath(one, channel({ base_url: `https://host/base${pasted}` }), path)
        expect(at, `${name} ${pasted}`).toBe(`https://host/base${path}`)
      }
    }
    expect(joinProviderPath(findProvider(1)!, channel({ base_url: 'https://host/paas/v4/' }), '/v1/models')).toBe(
      'https://host/paas/v4/models',
    )
  })

  it('of other doors stand beside the first', () => {
    expect(url(1, '', 'm', 1)).toBe('https://api.openai.com/v1/responses')
    expect(url(1, 'https://host/v1/chat/completions', 'm', 1)).toBe('https://host/v1/responses')
    expect(url(43, '', 'm', 1)).toBe('https://api.deepseek.com/responses')
    expect(url(45, '', 'm', 1)).toBe('https://ark.cn-beijing.volces.com/api/v3/responses')
    for (const one of allProviders) {
      for (const at of one.chat?.keys() ?? [])
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
    expect(
      findProvider(1)!
        .chat!.filter(({ optional }) => !optional)
        .map(({ serves }) => serves?.(model, channel()) ?? true),
    ).toEqual(served)
  })

  it('of a custom channel is used as it is, whatever is asked', () => {
    const { embeddings, rerank, images, speech, transcription } = findProvider(8)!
    for (const door of [embeddings, rerank, images, speech, transcription].flatMap((doors) => doors!))
      expect(
        buildEndpointUrl(findProvider(8)!, door, channel({ base_url: 'https://host/{model}' }), 'm', head, settings),
      ).toBe('https://host/m')
    expect(url(8, 'https://host/a/{model}/b?x=1', 'my model')).toBe('https://host/a/my%20model/b?x=1')
  })

  it('of Azure follows the version that the channel names', () => {
    const root = 'https://res.openai.azure.com'
    const at = (base_url: string, other = '', model = 'gpt-4o') =>
      urlWith(3, { base_url, other }, model, doorOf(3, model))
    for (const base of [root, `${root}/`, `${root}/openai`, `${root}/openai/v1/`]) {
      expect(at(base)).toBe(`${root}/openai/v1/chat/completions`)
    }
    expect(at(root, 'v1')).toBe(`${root}/openai/v1/chat/completions`)
    const dated = '/gpt-3.5-turbo/chat/completions?api-version=2024-10-21'
    expect(at(root, '2024-10-21', 'gpt-3.5-turbo')).toBe(`${root}/openai/deployments${dated}`)
    const gateway = 'https://gateway.ai.cloudflare.com/v1/a/b/azure-openai/res'
    expect(at(gateway, '2024-10-21', 'gpt-3.5-turbo')).toBe(gateway + dated)
    expect(at(root, '', 'gpt-5.2-pro')).toBe(`${root}/openai/v1/responses`)
    expect(at(root, '2025-04-01-preview', 'gpt-5.2-pro')).toBe(
      `${root}/openai/responses?api-version=2025-04-01-preview`,
    )
    expect(at('https://res.services.ai.azure.com', '', 'claude-sonnet-4-5')).toBe(
      'https://res.services.ai.azure.com/anthropic/v1/messages',
    )
  })

  const cloudflare = 'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1'
  it('of Cloudflare names the account', () => {
    expect(url(39)).toBe(`${cloudflare}/chat/completions`)
    expect(url(39, '', '@cf/openai/gpt-oss-20b', 1)).toBe(`${cloudflare}/responses`)
    expect(() => urlWith(39, { other: ' ' })).toThrow(expect.objectContaining({ code: 'channel.other' }))
  })

  it.each([
    ['claude-haiku-4-5', 'us-east5', 'us-east5-', 'anthropic/models/claude-haiku-4-5@20251001:rawPredict'],
    ['claude-opus-4-6', 'global', '', 'anthropic/models/claude-opus-4-6:rawPredict'],
    ['claude-3-5-sonnet-20241022', 'eu', 'eu', 'anthropic/models/claude-3-5-sonnet-v2@20241022:rawPredict'],
    [
      'gemini-2.5-pro',
      '{"default":"global","m":"europe-west4"}',
      'europe-west4-',
      'google/models/gemini-2.5-pro:generateContent',
    ],
    ['gemini-2.5-pro', '{"default":"us-central1"}', 'us-central1-', 'google/models/gemini-2.5-pro:generateContent'],
  ])('of %s at Vertex in %s', (model, other, host, path) => {
    const door = findProvider(41)!.chat![doorOf(41, model)]!
    const sent = door.adapt!(model, head, settings, channel(needed[41])).model ?? model
    const names = host === 'eu' ? 'aiplatform.eu.rep.googleapis.com' : `${host}aiplatform.googleapis.com`
    const region = host === 'eu' ? 'eu' : host === '' ? 'global' : host.slice(0, -1)
    expect(urlWith(41, { other }, sent, doorOf(41, model))).toBe(
      `https://${names}/v1/projects/p1/locations/${region}/publishers/${path}`,
    )
  })

  it('of open models at Vertex is the compatible one', () => {
    const door = doorOf(41, 'meta/llama-4')
    expect(urlWith(41, {}, 'meta/llama-4', door)).toMatch(/locations\/us-east5\/endpoints\/openapi\/chat\/completions$/)
    expect(() => urlWith(41, { other: '{"m2":"us-east5"}' })).toThrow(
      expect.objectContaining({ code: 'channel.other' }),
    )
  })

  it.each([
    ['claude-3-haiku-20240307', 'us-east-1', 'anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-5-sonnet-20241022', 'us-east-1', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-7-sonnet-20250219', 'ap-northeast-1', 'apac.anthropic.claude-3-7-sonnet-20250219-v1:0'],
    ['claude-sonnet-4-5', 'us-west-2', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-haiku-4-5', 'eu-central-1', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['claude-haiku-4-5', 'ap-southeast-2', 'global.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['claude-opus-4-6', 'us-gov-west-1', 'us-gov.anthropic.claude-opus-4-6-v1'],
    ['jp.anthropic.claude-haiku-4-5-20251001-v1:0', 'us-east-1', 'jp.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/x', 'us-east-1', 'arn:aws:bedrock:us-east-1:1:inference-profile/x'],
  ])('of %s at Bedrock in %s', (model, region, id) => {
    const at = doorOf(33, model)
    const of = { key: `A|S|${region}` }
    const sent = findProvider(33)!.chat![at]!.adapt!(model, head, settings, channel(of)).model!
    expect(sent).toBe(id)
    const root = `https://bedrock-runtime.${region}.amazonaws.com/model/${encodeURIComponent(id)}`
    expect(urlWith(33, of, sent, at)).toBe(`${root}/invoke`)
    expect(urlWith(33, of, sent, at, true)).toBe(`${root}/invoke-with-response-stream`)
  })

  it("of later models at Bedrock is its copy of the format, and of others OpenAI's", () => {
    const at = doorOf(33, 'claude-opus-4-8')
    const { adapt } = findProvider(33)!.chat![at]!
    expect(adapt!('claude-opus-4-8', head, settings, channel(needed[33])).model).toBe('anthropic.claude-opus-4-8')
    expect(urlWith(33, {}, 'anthropic.claude-opus-4-8', at)).toBe(
      'https://bedrock-mantle.us-east-1.api.aws/anthropic/v1/messages',
    )
    expect(urlWith(33, { base_url: 'https://proxy' }, 'm', at)).toBe('https://proxy/anthropic/v1/messages')
    expect(urlWith(33, {}, 'openai.gpt-oss-20b', doorOf(33, 'openai.gpt-oss-20b'))).toBe(
      'https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/chat/completions',
    )
  })

  it.each([
    ['SparkDesk-v3.5', '', 'v3.5/chat', 'generalv3.5'],
    ['SparkDesk', 'v2.1', 'v2.1/chat', 'generalv2'],
    ['4.0Ultra', '', 'v4.0/chat', '4.0Ultra'],
    ['pro-128k', '', 'chat/pro-128k', 'pro-128k'],
  ])("of %s at Xunfei's socket", (model, other, place, domain) => {
    const of = { key: 'app|secret|key', other }
    const at = findProvider(18)!.chat!.findIndex(({ serves }) => serves!(model, channel(of)))
    const adapted = findProvider(18)!.chat![at]!.adapt!(model, head, settings, channel(of))
    expect(adapted).toEqual({ model: domain, defaults: { header: { app_id: 'app' } } })
    expect(urlWith(18, of, domain, at)).toBe(`wss://spark-api.xf-yun.com/${place}`)
    expect(urlWith(18, { ...of, base_url: 'http://proxy' }, domain, at)).toBe(`ws://proxy/${place}`)
  })

  it('of a bot at VolcEngine is its own', () => {
    expect(url(45, '', 'bot-1')).toBe('https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions')
  })
})

describe('a format that a provider speaks itself', () => {
  const claude = 'claude-sonnet-4-5'
  // docs/relay.md, 12.7, and what the vendors' pages say that the heads of the providers' files name.
  it.each([
    [1, 'openai-responses', 'm', '/v1/responses'],
    [3, 'openai-responses', 'm', '/openai/v1/responses'],
    [4, 'openai-responses', 'm', '/v1/responses'],
    [17, 'openai-responses', 'qwen3.5-plus', '/api/v2/apps/protocols/compatible-mode/v1/responses'],
    [20, 'openai-responses', 'm', '/v1/responses'],
    [33, 'openai-responses', 'openai.gpt-5.6-luna', '/openai/v1/responses'],
    [33, 'openai-responses', 'openai.gpt-oss-120b', '/v1/responses'],
    [35, 'openai-responses', 'm', '/v1/responses'],
    [43, 'openai-responses', 'm', '/responses'],
    [45, 'openai-responses', 'm', '/api/v3/responses'],
    [48, 'openai-responses', 'm', '/v1/responses'],
    [1005, 'openai-responses', 'm', '/v1/responses'],
    [1006, 'openai-responses', 'm', '/v1/responses'],
    [4, 'anthropic-messages', 'm', '/v1/messages'],
    [14, 'anthropic-messages', claude, '/v1/messages'],
    [17, 'anthropic-messages', 'm', '/apps/anthropic/v1/messages'],
    [20, 'anthropic-messages', 'm', '/v1/messages'],
    [25, 'anthropic-messages', 'm', '/anthropic/v1/messages'],
    [26, 'anthropic-messages', 'm', '/api/anthropic/v1/messages'],
    [35, 'anthropic-messages', 'm', '/anthropic/v1/messages'],
    [40, 'anthropic-messages', 'm', '/v1/messages'],
    [43, 'anthropic-messages', 'm', '/anthropic/v1/messages'],
    [1003, 'anthropic-messages', 'm', '/v1/messages'],
    [1006, 'anthropic-messages', 'm', '/v1/messages'],
    [1009, 'anthropic-messages', `databricks-${claude}`, '/serving-endpoints/anthropic/v1/messages'],
    [1010, 'anthropic-messages', claude, '/api/v2/cortex/v1/messages'],
    [1013, 'anthropic-messages', 'm', '/v1/messages'],
    [1014, 'anthropic-messages', 'm', '/v1/messages'],
  ])('is asked in it: type %i, %s, %s', (type, format, model, path) => {
    const one = findProvider(type)!
    const dialect = one.chat!.map((door) => door.dialect).find(({ name }) => name === format) as CallerDialect
    const at = channel({ ...needed[type], base_url: 'https://host' })
    const door = findCallEndpoint(one, dialect, model, at)!
    expect(door.dialect.name).toBe(format)
    expect(buildEndpointUrl(one, door, at, model, head, settings)).toBe(`https://host${path}`)
  })

  it('is not asked of models that are served in another', () => {
    for (const [type, model, format] of [
      [17, 'qwen-vl-max', 'openai-responses'],
      [33, 'mistral.voxtral-mini-3b-2507', 'openai-responses'],
      [1009, 'databricks-llama-4', 'anthropic-messages'],
      [1010, 'llama4-maverick', 'anthropic-messages'],
    ] as const) {
      const one = findProvider(type)!
      const dialect = one.chat!.map((door) => door.dialect).find(({ name }) => name === format) as CallerDialect
      expect(findCallEndpoint(one, dialect, model, channel(needed[type]))!.dialect.name).toBe('openai-chat')
    }
  })

  it('of Azure stands at the versionless address where the dated one has none', () => {
    const root = 'https://res.openai.azure.com'
    const at = (other: string) => urlWith(3, { base_url: root, other }, 'm', 2)
    expect(at('2024-12-01-preview')).toBe(`${root}/openai/v1/responses`)
    expect(at('2025-04-01-preview')).toBe(`${root}/openai/responses?api-version=2025-04-01-preview`)
  })
})
