// A config.json of Bifrost: each key of a provider becomes a channel, each virtual key a token that goes on working.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { chatReply } from '../support/upstream.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { accounted, callWith, importInto, lineOf } from './import.ts'

const UNIT = 500_000

describeWithOwnGateway('what comes from a config.json of Bifrost', (weir) => {
  const folders: string[] = []
  afterEach(async () => {
    delete process.env.WEIR_TEST_UPSTREAM
    delete process.env.WEIR_TEST_VK
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })
  async function bring(config: object) {
    const folder = await mkdtemp(path.join(tmpdir(), 'weir-bifrost-'))
    folders.push(folder)
    const file = path.join(folder, 'config.json')
    await writeFile(file, JSON.stringify(config))
    return { file, result: await importInto(weir, file, { product: 'bifrost' }) }
  }
  const channels = async () => (await weir.root.client.channels.list({ p: 0, page_size: 100 })).data

  it('serves its models by both of their names, and its virtual keys go on', async () => {
    process.env.WEIR_TEST_UPSTREAM = 'sk-from-the-environment'
    process.env.WEIR_TEST_VK = 'sk-bf-from-the-environment'
    const network_config = { base_url: weir.upstream.url, extra_headers: { 'X-Team': 'seven' } }
    const { file, result } = await bring({
      $schema: 'https://www.getbifrost.ai/schema',
      providers: {
        openai: {
          keys: [
            { name: 'one', value: 'env.WEIR_TEST_UPSTREAM', models: ['m1', 'm2'], weight: 0.7 },
            { name: 'two', value: { value: 'sk-plain', env_var: '', from_env: false }, models: ['m1'], weight: 0.3 },
          ],
          network_config,
        },
        local: {
          keys: [{ name: 'three', value: 'k', models: ['m2'], aliases: { m3: 'deployed' } }],
          network_config,
          custom_provider_config: { base_provider_type: 'openai' },
        },
      },
      governance: {
        customers: [{ id: 'c1', name: 'Acme', budget_id: 'b1' }],
        budgets: [
          { id: 'b1', max_limit: 10, current_usage: 4, reset_duration: '1M' },
          { id: 'b2', virtual_key_id: 'vk1', max_limit: 3, reset_duration: '1d' },
        ],
        rate_limits: [
          {
            id: 'r1',
            request_max_limit: 60,
            request_reset_duration: '1m',
            token_max_limit: 9,
            token_reset_duration: '1h',
          },
        ],
        virtual_keys: [
          {
            ...{ id: 'vk1', name: 'Assistant', value: 'env.WEIR_TEST_VK', customer_id: 'c1', rate_limit_id: 'r1' },
            provider_configs: [{ provider: 'openai', allowed_models: ['*'] }],
          },
          { id: 'vk2', name: 'Made there' },
          { id: 'vk3', name: 'Closed', value: 'sk-bf-closed', provider_configs: [] },
        ],
      },
      client: { enable_logging: true },
    })
    expect(accounted(result, 'channel')).toBe(3)
    const made = await channels()
    const named = (name: string) => made.find((channel) => channel.name === name)
    expect(named('one (openai)')).toMatchObject({ type: 1, status: 1, weight: 70, models: 'm1,openai/m1,m2,openai/m2' })
    expect(named('two (openai)')).toMatchObject({ weight: 30 })
    expect(named('three (local)')).toMatchObject({ type: 1, status: 1, models: 'm2,local/m2' })
    expect(lineOf(result, 'token', 'vk2')).toMatchObject({ outcome: 'left' })
    expect(lineOf(result, 'token', 'vk1')?.why.en).toMatch(/9 tokens in 1h has no place/)
    expect(lineOf(result, 'option', 'client')?.outcome).toBe('left')
    const user = (await weir.root.client.users.search({ keyword: 'Acme' })).items[0]
    expect(user).toMatchObject({ username: 'Acme', quota: 6 * UNIT })
    const token = (await weir.root.client.tokens.ofUser({ user_id: user?.id ?? 0 })).data[0]
    expect(token).toMatchObject({
      name: 'Assistant',
      budget_day: 3 * UNIT,
      requests_per_minute: 60,
      unlimited_quota: true,
    })
    // The bare name of m2 is served by a provider that the key is not allowed to use.
    expect(token?.model_limits.split(',').sort()).toEqual(['m1', 'openai/m1', 'openai/m2'])

    await weir.root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'true' })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    for (const model of ['m1', 'openai/m1', 'openai/m2'])
      expect(await callWith(weir.url, 'sk-bf-from-the-environment', model), model).toBe(200)
    const { json, headers } = weir.upstream.requests.at(-1) ?? {}
    expect([json?.model, headers?.authorization, headers?.['x-team']]).toEqual([
      'm2',
      'Bearer sk-from-the-environment',
      'seven',
    ])
    for (const [key, model] of [
      ['sk-bf-from-the-environment', 'm2'],
      ['sk-bf-from-the-environment', 'local/m2'],
      ['sk-bf-closed', 'm1'],
    ] as const)
      expect(await callWith(weir.url, key, model), `${key} ${model}`).toBe(403)
    await weir.root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'false' })
    const again = await importInto(weir, file, { product: 'bifrost' })
    expect(again.counts.filter(({ came, changed }) => came + changed > 0)).toEqual([])
  })

  it('switches off what cannot serve as it is, and says why', async () => {
    const cases: Record<string, [provider: string, key: object, config: object, why: RegExp]> = {
      unset: ['anthropic', { value: 'env.WEIR_TEST_UNSET', models: ['a'] }, {}, /WEIR_TEST_UNSET/],
      address: [
        'openrouter',
        { value: 'k', models: ['a'] },
        { network_config: { base_url: 'env.WEIR_TEST_NO_URL' } },
        /WEIR_TEST_NO_URL/,
      ],
      keyless: ['groq', { models: ['a'] }, {}, /no key/],
      azure: ['azure', { value: 'k', models: ['a'] }, {}, /no address/],
      ollama: ['ollama', { models: ['a'] }, {}, /no address/],
      vertex: [
        'vertex',
        { models: ['a'], vertex_key_config: { project_id: 'p', region: 'r', auth_credentials: '/sa.json' } },
        {},
        /credentials/,
      ],
      unknown: ['elevenlabs', { value: 'k', models: ['a'] }, {}, /elevenlabs is not served/],
      empty: ['mistral', { value: 'k', models: [] }, {}, /before version 1\.5/],
    }
    const { result } = await bring({
      providers: Object.fromEntries(
        Object.entries(cases).map(([name, [provider, key, config]]) => [
          provider,
          { keys: [{ name, ...key }], ...config },
        ]),
      ),
    })
    const made = await channels()
    for (const [name, [provider, , , why]] of Object.entries(cases)) {
      expect(made.find((channel) => channel.name === `${name} (${provider})`)?.status, name).toBe(2)
      expect(lineOf(result, 'channel', `${provider} ${name}`)?.why.en, name).toMatch(why)
    }
  })

  it('brings clouds and servers of your own with what they need', async () => {
    const account = JSON.stringify({ type: 'service_account', project_id: 'p', client_email: 'a@b', private_key: 'x' })
    const { result } = await bring({
      version: 1,
      providers: {
        azure: {
          keys: [
            {
              name: 'az',
              value: 'k',
              models: [],
              azure_key_config: {
                endpoint: 'https://r.example/',
                api_version: '2025-04-01',
                deployments: { 'gpt-4o': 'deployed' },
              },
            },
          ],
        },
        bedrock: {
          keys: [
            {
              name: 'be',
              models: ['claude-x'],
              bedrock_key_config: { access_key: 'AK', secret_key: 'SK', region: 'us-east-1' },
            },
          ],
        },
        vertex: {
          keys: [
            { name: 've', models: ['gemini-x'], vertex_key_config: { region: 'global', auth_credentials: account } },
          ],
        },
        vllm: { keys: [{ name: 'vl', models: ['own'], vllm_key_config: { url: 'http://10.0.0.1:8000/v1' } }] },
        groq: {
          keys: [{ name: 'gr', value: 'k', models: ['*'], enabled: false }],
          proxy_config: { type: 'http', url: 'http://proxy.example:8080', username: 'u', password: 'p' },
        },
      },
    })
    const made = await channels()
    const named = (name: string) => made.find((channel) => channel.name.startsWith(`${name} (`))
    expect(named('az')).toMatchObject({ type: 3, status: 1, base_url: 'https://r.example', other: '2025-04-01' })
    expect(JSON.parse(named('az')?.model_mapping ?? '{}')).toMatchObject({
      'gpt-4o': 'deployed',
      'azure/gpt-4o': 'deployed',
    })
    expect(named('be')).toMatchObject({ type: 33, status: 1 })
    expect(named('ve')).toMatchObject({ type: 41, status: 1, other: 'global' })
    expect(named('vl')).toMatchObject({ type: 1, status: 1, base_url: 'http://10.0.0.1:8000' })
    expect(named('gr')?.status).toBe(2)
    expect(JSON.parse(named('gr')?.setting ?? '{}')).toHaveProperty('proxy')
    const stored = await weir.gateway.ports.storage.channels.find(named('be')?.id ?? 0)
    expect(stored?.key).toBe('AK|SK|us-east-1')
    expect(lineOf(result, 'channel', 'groq gr')?.why.en).toMatch(/every model of its provider/)
  })
})
