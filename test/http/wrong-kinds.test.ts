// Bodies with a value of another kind than belongs there: refused with its path, in the caller's dialect, before a provider
// of another format is asked; and what a provider used counts, also where its answer cannot be said.
import { expect, it } from 'vitest'
import { ALL_CALLER_FORMATS } from '../../core/dialects/caller-formats.ts'
import { FIELD_FINDING } from '../../core/dialects/gemini-generate/fields.ts'
import {
  toKindCheck,
  type MemberFinding,
  type KindCheck,
  type MemberKinds,
} from '../../core/dialects/requests/shape.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { makers } from '../support/makers/index.ts'
import { send } from '../support/server.ts'
import { SEEDS } from '../support/whole-requests.data.ts'

/** No text, and nothing that could be made one. */
const WRONG = { toString: 1 }
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const [openai, anthropic, gemini] = makers as [(typeof makers)[0], (typeof makers)[0], (typeof makers)[0]]
const user = { role: 'user', content: 'Hello' }

const CASES: [path: string, maker: (typeof makers)[0], body: object, param: string][] = [
  ['/v1/chat/completions', anthropic, { messages: [user, { role: WRONG, content: 'a' }] }, 'messages[1].role'],
  [
    '/v1/chat/completions',
    gemini,
    { messages: [{ role: 'user', content: [{ type: WRONG }] }] },
    'messages[0].content[0].type',
  ],
  [
    '/v1/chat/completions',
    gemini,
    { messages: [user], tools: [{ function: { name: [WRONG] } }] },
    'tools[0].function.name',
  ],
  ['/v1/chat/completions', anthropic, { messages: [user], temperature: 'hot' }, 'temperature'],
  [
    '/v1/responses',
    anthropic,
    { input: [{ role: 'user', content: [{ type: 'input_text', text: [WRONG] }] }] },
    'input[0].content[0].text',
  ],
  ['/v1/responses', gemini, { input: 'a', tools: [{ type: WRONG }] }, 'tools[0].type'],
  ['/v1/completions', anthropic, { prompt: 'a', stop: ['a', WRONG] }, 'stop[1]'],
  [
    '/v1/messages',
    openai,
    { max_tokens: 9, messages: [{ role: 'user', content: [{ type: 'text', text: WRONG }] }] },
    'messages[0].content[0].text',
  ],
  ['/v1/messages', gemini, { max_tokens: 9, messages: [user], metadata: { user_id: WRONG } }, 'metadata.user_id'],
  [
    '/v1beta/models/MODEL:generateContent',
    openai,
    { contents: [{ role: WRONG, parts: [{ text: 'a' }] }] },
    'contents[0].role',
  ],
  [
    '/v1beta/models/MODEL:generateContent',
    anthropic,
    { contents: [{ parts: [{ text: WRONG }] }] },
    'contents[0].parts[0].text',
  ],
]

const REQUIRED = new Set(['messages', 'prompt', 'input', 'query', 'documents', 'contents', 'content', 'requests'])

interface Declared {
  path: (string | number)[]
  kind: KindCheck
}

/** Every member that a format declares, at any depth; of a list the first. */
function declaredIn(kinds: MemberKinds, finding: MemberFinding | undefined, path: Declared['path'] = []): Declared[] {
  const inner =
    typeof kinds === 'function'
      ? []
      : Array.isArray(kinds)
        ? declaredIn(kinds[0] as MemberKinds, finding, [...path, 0])
        : Object.entries(kinds).flatMap(([name, one]) => declaredIn(one as MemberKinds, finding, [...path, name]))
  return path.length === 0 ? inner : [{ path, kind: toKindCheck(kinds, finding) }, ...inner]
}

const isRefused = (kind: KindCheck, value: Json): boolean => {
  try {
    kind(value)
    return false
  } catch {
    return true
  }
}

/** The same request, with a value at this path and nothing beside it in the objects on the way. */
function withAt(whole: Json, [key, ...rest]: Declared['path'], value: Json): Json {
  if (key === undefined) return value
  const inner = withAt(typeof key === 'number' ? {} : whole?.[key], rest, value)
  return typeof key === 'number' ? [inner] : { ...(rest.length > 0 && whole === undefined ? {} : whole), [key]: inner }
}

const named = (path: Declared['path']): string =>
  path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')

const FORMATS = ALL_CALLER_FORMATS.filter(({ headFields }) => Object.keys(headFields).length > 0).map((format) => {
  const path = format.paths[0].replace('{model}', 'MODEL')
  return {
    name: format.name,
    path,
    body: SEEDS[path] ?? SEEDS['/v1/images/generations'],
    declared: declaredIn(format.headFields, format.name.startsWith('gemini') ? FIELD_FINDING : undefined),
  }
})

describeWithGateway('a value of the wrong kind', (weir) => {
  it.each(FORMATS)('in $name is refused where the format stays, null is not', async ({ path, body, declared }) => {
    const type = path.startsWith('/v1beta') ? gemini.type : path === '/v1/messages' ? anthropic.type : openai.type
    await weir.addChannel({ type, models: 'm' })
    const ada = await weir.addCaller({
      quota: 1_000_000,
      patch: { setting: '{"accept_unset_model_ratio_model":true}' },
    })
    weir.upstream.reply({ status: 422, body: { error: { message: 'asked' } } })
    const ask = (changed: Json) =>
      send('POST', weir.url + path.replace('MODEL', 'm'), {
        headers: { authorization: `Bearer ${ada.key}` },
        body: { model: 'm', ...changed },
      })
    for (const { path: at, kind } of declared) {
      const value = [WRONG, 5].find((one) => isRefused(kind, one))
      const { status, json } = await ask(withAt(body, at, value))
      expect(json.error.message).toContain(`Invalid parameters: ${named(at)} must be `)
      expect(status).toBe(400)
    }
    expect(weir.upstream.requests).toHaveLength(0)
    const optional = declared.filter(({ path: at }) => at.length === 1 && !REQUIRED.has(named(at)))
    const { status } = await ask({ ...body, ...Object.fromEntries(optional.map(({ path: at }) => [named(at), null])) })
    expect(status).toBe(422)
  })

  it('is refused with its path, wherever it stands', async () => {
    for (const { type, model } of makers) await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const wrong = await listFailures(
      CASES,
      ([path, , , param]) => `${path}: ${param}`,
      async ([path, maker, body, param]) => {
        const answer = await send('POST', weir.url + path.replace('MODEL', maker.model), {
          headers: { authorization: `Bearer ${ada.key}` },
          body: { model: maker.model, ...body },
        })
        expect(answer.status).toBe(400)
        const { message, param: told } = answer.json.error
        expect(message).toContain(`Invalid parameters: ${param} must be `)
        if (path.startsWith('/v1/') && path !== '/v1/messages') expect(told).toBe(param)
      },
    )
    expect(wrong).toEqual([])
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it.each([
    '/v1/chat/completions',
    '/v1/responses',
    '/v1/messages',
    '/v1/embeddings',
    '/v1beta/models/MODEL:generateContent',
  ])('and so is what is nested too deeply at %s, also where the format stays', async (path) => {
    const { type, model } = path === '/v1/messages' ? anthropic : path.includes('MODEL') ? gemini : openai
    await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    for (const levels of [200, 100_000]) {
      const { status, json } = await send('POST', weir.url + path.replace('MODEL', model), {
        headers: { authorization: `Bearer ${ada.key}` },
        body: `{"model":"${model}","input":"a","metadata":${deep(levels)}}`,
      })
      expect(status).toBe(400)
      expect(json.error.message).toContain('The request body is nested more than 128 levels deep')
    }
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('in an answer does not make it free', async () => {
    const { type, model } = anthropic
    await weir.addChannel({ type, models: model })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const content = `[{"type":"tool_use","id":"c","name":"f","input":{"a":${deep(100_000)}}}]`
    weir.upstream.reply({
      headers: { 'content-type': 'application/json' },
      body: `{"type":"message","role":"assistant","content":${content},"usage":{"input_tokens":500,"output_tokens":77}}`,
    })
    const { status } = await ada.chat({ model })
    expect(status).toBeGreaterThanOrEqual(500)
    expect((await ada.balances()).quota).toBeLessThan(1_000_000)
    expect(await ada.logs()).toMatchObject([{ prompt_tokens: 500, completion_tokens: 77 }])
  })
})
