// A config.yaml of LiteLLM: each of its models becomes a channel that serves, at the prices that it names.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { chatReply } from '../support/upstream.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { accounted, importInto, lineOf } from './import.ts'

const MODELS = 30

describeWithOwnGateway('what comes from a config.yaml of LiteLLM', (weir) => {
  const folders: string[] = []
  afterEach(async () => {
    delete process.env.WEIR_TEST_UPSTREAM
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })
  async function bring(yaml: string) {
    const folder = await mkdtemp(path.join(tmpdir(), 'weir-litellm-'))
    folders.push(folder)
    const file = path.join(folder, 'config.yaml')
    await writeFile(file, yaml)
    return { file, result: await importInto(weir, file, { product: 'litellm' }) }
  }

  async function accountFile() {
    const folder = await mkdtemp(path.join(tmpdir(), 'weir-account-'))
    folders.push(folder)
    await writeFile(
      path.join(folder, 'account.json'),
      JSON.stringify({ type: 'service_account', project_id: 'acme', client_email: 'a@b', private_key: 'x' }),
    )
    return path.join(folder, 'account.json')
  }

  it('serves thirty models', async () => {
    process.env.WEIR_TEST_UPSTREAM = 'sk-from-the-environment'
    const entry = (at: number) => `
  - model_name: own-model-${at}
    litellm_params:
      model: ${at % 2 ? 'openai' : 'groq'}/theirs-${at}
      api_base: ${weir.upstream.url}/v1
      api_key: os.environ/WEIR_TEST_UPSTREAM
      ${at === 3 ? 'rpm: 60' : ''}
    model_info:
      input_cost_per_token: 0.000002
      output_cost_per_token: 0.000006`
    const numbers = Array.from({ length: MODELS }, (_, at) => at + 1)
    const { file, result } = await bring(`
model_list:${numbers.map(entry).join('')}
router_settings:
  num_retries: 2
  model_group_alias: { another-name: own-model-1 }
  content_policy_fallbacks: [{ own-model-1: [{ model: own-model-5 }, gone] }]
litellm_settings:
  fallbacks: [{ own-model-2: [own-model-1] }, { "*": [own-model-3] }]
  context_window_fallbacks: [{ own-model-2: [own-model-4] }]
general_settings:
  master_key: sk-1234
`)
    expect(accounted(result, 'channel')).toBe(MODELS)
    expect(result.counts.find(({ kind }) => kind === 'channel')).toMatchObject({
      left: 0,
      came: MODELS - 1,
      changed: 1,
    })
    expect(lineOf(result, 'option', 'general_settings.master_key')?.outcome).toBe('left')
    const { RetryTimes, FallbackModels } = weir.gateway.settings()
    expect(RetryTimes).toBe(2)
    expect(Object.keys(FallbackModels.default ?? {})).toHaveLength(MODELS)
    expect(FallbackModels.default).toMatchObject({
      'own-model-2': ['own-model-1', 'own-model-4'],
      'own-model-1': ['own-model-3', 'own-model-5', 'gone'],
      'another-name': ['own-model-3'],
    })
    const joined = lineOf(result, 'option', 'fallbacks')?.why.en
    expect(joined).toMatch(/content_policy_fallbacks, fallbacks, context_window_fallbacks.*after any failure/)
    expect(joined).toMatch(/no model of the file is called gone/)
    const ada = await weir.addCaller({ quota: 100_000_000 })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1000, completion_tokens: 1000 }))
    for (const model of [...numbers.map((at) => `own-model-${at}`), 'another-name']) {
      const before = (await ada.balances()).quota
      const { status } = await ada.chat({ model })
      expect(status, model).toBe(200)
      // 1000 tokens at $2 and 1000 at $6 for 1M, of 500,000 units a dollar.
      expect(before - (await ada.balances()).quota, model).toBe(4000)
    }
    const asked = weir.upstream.requests.filter((request) => request.path.endsWith('/chat/completions'))
    expect(asked.some(({ headers }) => headers.authorization === 'Bearer sk-from-the-environment')).toBe(true)
    const again = await importInto(weir, file, { product: 'litellm' })
    expect(again.counts.filter(({ came, changed }) => came + changed > 0)).toEqual([])
  })

  it('switches off what cannot serve as it is, and says why', async () => {
    const { result } = await bring(`
model_list:
  - { model_name: "*", litellm_params: { model: "openai/*", api_key: k } }
  - { model_name: nokey, litellm_params: { model: anthropic/claude-x, api_key: os.environ/WEIR_TEST_UNSET } }
  - { model_name: strange, litellm_params: { model: nobody_knows/m, api_key: k } }
  - { model_name: other-version, litellm_params: { model: openai/m, api_key: k, api_base: "https://a.example/api/v4" } }
  - { model_name: "", litellm_params: {} }
  - { model_name: unset-address, litellm_params: { model: openai/m, api_key: k, api_base: os.environ/WEIR_TEST_UNSET_BASE } }
  - { model_name: no-address, litellm_params: { model: hosted_vllm/m } }
  - { model_name: azure-nowhere, litellm_params: { model: azure/deployment, api_key: k } }
  - { model_name: no-account, litellm_params: { model: vertex_ai/gemini-2.5-pro, vertex_credentials: /nowhere/account.json } }
  - { model_name: an-account, litellm_params: { model: vertex_ai/gemini-2.5-pro, vertex_credentials: ${await accountFile()} } }
  - { model_name: local, litellm_params: { model: hosted_vllm/m, api_base: "http://127.0.0.1:9/v1" } }
  - { model_name: azure-one, litellm_params: { model: azure/deployment, api_key: k, api_base: "https://r.example", api_version: "2024-10-21" } }
`)
    expect(accounted(result, 'channel')).toBe(12)
    expect(result.lines.filter(({ kind }) => kind === 'channel').map(({ why }) => why.en)).toEqual([
      expect.stringContaining('names no model'),
      expect.stringContaining('matches many models'),
      expect.stringContaining('WEIR_TEST_UNSET'),
      expect.stringContaining('nobody_knows'),
      expect.stringContaining('another version'),
      expect.stringContaining('WEIR_TEST_UNSET_BASE'),
      expect.stringContaining('no default address'),
      expect.stringContaining('switched off'),
      expect.stringContaining('account file'),
    ])
    const channels = (await weir.root.client.channels.list({ p: 0, page_size: 100 })).data
    const named = (model: string) => channels.find(({ models }) => models === model)
    const statusOf = (model: string) => named(model)?.status
    expect(
      ['*', 'nokey', 'strange', 'unset-address', 'no-address', 'azure-nowhere', 'no-account'].map(statusOf),
    ).toEqual(Array.from({ length: 7 }, () => 2))
    expect(['an-account', 'local'].map(statusOf)).toEqual([1, 1])
    expect(named('azure-one')).toMatchObject({ type: 3, other: '2024-10-21', status: 1 })
    expect(named('other-version')).toMatchObject({ type: 8, base_url: 'https://a.example/api/v4/chat/completions' })
  })

  it('asks Gemini at the address that is stated, as LiteLLM does', async () => {
    await bring(`
model_list:
  - { model_name: gemini-there, litellm_params: { model: gemini/gemini-2.5-flash, api_key: k, api_base: "${weir.upstream.url}/proxy" } }
  - { model_name: gemini-versioned, litellm_params: { model: gemini/gemini-2.5-flash, api_key: k, api_base: "${weir.upstream.url}/v1" } }
`)
    const prices = { ...weir.gateway.settings().ModelRatio, 'gemini-there': 1, 'gemini-versioned': 1 }
    await weir.set('ModelRatio', prices)
    const ada = await weir.addCaller({ quota: 100_000 })
    for (const model of ['gemini-there', 'gemini-versioned']) await ada.chat({ model })
    expect(weir.upstream.requests.slice(-2).map(({ path: asked }) => asked.split('?')[0])).toEqual([
      '/proxy/models/gemini-2.5-flash:generateContent',
      '/v1/models/gemini-2.5-flash:generateContent',
    ])
  })

  it('reads what the file takes from elsewhere: anchors, included files, credentials and variables', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'weir-litellm-'))
    folders.push(folder)
    process.env.WEIR_TEST_UPSTREAM = 'sk-of-the-process'
    await writeFile(
      path.join(folder, 'more.yaml'),
      `model_list:
  - { model_name: included, litellm_params: { model: openai/m, api_base: "${weir.upstream.url}/v1", litellm_credential_name: shared } }
  - { model_name: lost, litellm_params: { model: openai/m, api_base: "${weir.upstream.url}/v1", litellm_credential_name: nobody } }
`,
    )
    const file = path.join(folder, 'config.json')
    await writeFile(
      file,
      `include: [more.yaml]
environment_variables: { WEIR_TEST_OWN: sk-of-the-file, WEIR_TEST_INDIRECT: os.environ/WEIR_TEST_UPSTREAM }
credential_list:
  - credential_name: shared
    credential_values: { api_key: os.environ/WEIR_TEST_OWN, api_base: https://elsewhere.example }
defaults: &defaults { api_base: "${weir.upstream.url}/v1", api_key: os.environ/WEIR_TEST_INDIRECT }
model_list:
  - model_name: merged
    litellm_params: { <<: *defaults, model: openai/m }
router_settings:
  model_group_alias: { named-too: { model: included, hidden: true }, nowhere: nothing }
`,
    )
    const result = await importInto(weir, file, { product: 'litellm' })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    await weir.root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'true' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const keys = { merged: 'sk-of-the-process', included: 'sk-of-the-file', 'named-too': 'sk-of-the-file' }
    for (const [model, key] of Object.entries(keys)) {
      expect((await ada.chat({ model })).status, model).toBe(200)
      expect(weir.upstream.requests.at(-1)?.headers.authorization, model).toBe(`Bearer ${key}`)
    }
    const channels = (await weir.root.client.channels.list({ p: 0, page_size: 100 })).data
    expect(channels.find(({ models }) => models === 'lost')?.status).toBe(2)
    expect(result.lines.find(({ kind, name }) => kind === 'channel' && name.startsWith('lost'))?.why.en).toMatch(
      /credential/,
    )
    expect(lineOf(result, 'option', 'router_settings.model_group_alias')?.why.en).toMatch(/nowhere/)
    await weir.root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'false' })
  })

  it('adds to calls what a model says of them, or switches it off', async () => {
    const entry = (name: string, params: string) =>
      `  - { model_name: ${name}, litellm_params: { api_base: "${weir.upstream.url}", api_key: k, ${params} } }`
    const { result } = await bring(`
model_list:
${entry('effort', 'model: openai/gpt-5.4, reasoning_effort: high')}
${entry('effort-elsewhere', 'model: openai/own-thinker, reasoning_effort: low')}
${entry('fields', 'model: openai/m, temperature: 0.1, max_tokens: 7, extra_body: { top_k: 3 }, extra_headers: { X-Team: seven }')}
${entry('newer-limit', 'model: openai/gpt-5.4, max_tokens: 9')}
${entry('claude', 'model: anthropic/claude-opus-4-6, reasoning_effort: high, temperature: 1, stop: END')}
${entry('older-claude', 'model: anthropic/claude-3-7-sonnet-20250219, reasoning_effort: low')}
${entry('gem', 'model: gemini/gemini-2.5-pro, temperature: 0.1')}
${entry('unset-header', 'model: openai/m, extra_headers: { X-Secret: os.environ/WEIR_TEST_UNSET }')}
${entry('unset-body', 'model: openai/m, extra_body: { a: [os.environ/WEIR_TEST_UNSET] }')}
${entry('bad-header', 'model: openai/m, extra_headers: { "a b": c }')}
${entry('mocked', 'model: openai/m, mock_response: hi')}
${entry('limits', 'model: openai/m, rpm: 1, timeout: 5')}
`)
    const channels = (await weir.root.client.channels.list({ p: 0, page_size: 100 })).data
    const off = channels.filter(({ status }) => status === 2).map(({ models }) => models)
    expect(off).toEqual(expect.arrayContaining(['gem', 'unset-header', 'unset-body', 'bad-header', 'mocked']))
    const why = (name: string) => result.lines.find(({ id }) => id.startsWith(`${name} `))?.why.en
    expect(why('gem')).toMatch(/temperature.*switched off/)
    expect(why('unset-header')).toMatch(/WEIR_TEST_UNSET/)
    expect(why('unset-body')).toMatch(/WEIR_TEST_UNSET/)
    expect(why('fields')).toMatch(/temperature, max_tokens, top_k: applies to every call/)
    expect(why('limits')).toMatch(/no place for rpm, timeout/)
    // LiteLLM charges a name as the model behind it.
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const before = (await ada.balances()).quota
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1000, completion_tokens: 100 }))
    expect((await ada.chat({ model: 'effort' })).status).toBe(200)
    expect(before - (await ada.balances()).quota).toBe(1000 * 1.25 + 100 * 1.25 * 6)
    await weir.root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'true' })
    const sent = async (model: string, more: object = {}) => {
      weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
      await ada.chat({ model, ...more })
      const request = weir.upstream.requests.at(-1)
      return { body: request?.json, headers: request?.headers }
    }
    expect((await sent('effort')).body).toMatchObject({ model: 'gpt-5.4', reasoning_effort: 'high' })
    expect((await sent('effort', { reasoning_effort: 'low' })).body.reasoning_effort).toBe('low')
    expect((await sent('effort-elsewhere')).body).toMatchObject({ model: 'own-thinker', reasoning_effort: 'low' })
    const fields = await sent('fields')
    expect(fields.body).toMatchObject({ model: 'm', temperature: 0.1, max_tokens: 7, top_k: 3 })
    expect(fields.headers?.['x-team']).toBe('seven')
    const limited = (await sent('newer-limit', { max_tokens: 4 })).body
    expect([limited.max_completion_tokens, limited.max_tokens]).toEqual([9, undefined])
    expect((await sent('claude')).body).toMatchObject({
      ...{ model: 'claude-opus-4-6', temperature: 1, stop_sequences: ['END'], output_config: { effort: 'high' } },
    })
    expect((await sent('older-claude')).body.thinking).toMatchObject({ type: 'enabled', budget_tokens: 1024 })
    await weir.root.client.settings.update({ key: 'SelfUseModeEnabled', value: 'false' })
  })

  it('refuses what is no such file, and names all sources', async () => {
    const ALL = /new-api, one-api and one-hub.*LiteLLM.*Bifrost/
    for (const text of [
      'a: 1',
      'a: [',
      'model_list: []',
      '',
      '[]',
      '{"providers": {}}',
      'services: { web: { image: x } }',
    ])
      await expect(bring(text), text).rejects.toThrow(ALL)
    await expect(bring('include: [nowhere.yaml]')).rejects.toThrow(/nowhere\.yaml cannot be read/)
    const { file } = await bring('model_list: [{ model_name: x, litellm_params: { model: openai/x, api_key: k } }]')
    await expect(importInto(weir, file, { product: 'bifrost' })).rejects.toThrow('weir import litellm')
    await expect(importInto(weir, file, { product: 'new-api' })).rejects.toThrow('weir import litellm')
  })
})
