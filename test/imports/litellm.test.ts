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
    await writeFile(path.join(folder, 'account.json'), '{"type":"service_account","project_id":"acme"}')
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
litellm_settings:
  fallbacks: [{ own-model-2: [own-model-1] }]
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
    expect(weir.gateway.settings()).toMatchObject({
      ...{ RetryTimes: 2, FallbackModels: { default: { 'own-model-2': ['own-model-1'] } } },
    })
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
      expect.stringContaining('stands for many'),
      expect.stringContaining('WEIR_TEST_UNSET'),
      expect.stringContaining('nobody_knows'),
      expect.stringContaining('another version'),
      expect.stringContaining('WEIR_TEST_UNSET_BASE'),
      expect.stringContaining('no address of its own'),
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

  it('refuses what is no such file', async () => {
    await expect(bring('a: 1')).rejects.toThrow('no model_list')
    await expect(bring('a: [')).rejects.toThrow('no YAML')
  })
})
