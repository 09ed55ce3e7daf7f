// Anthropic's words on other clouds: for every door that declares what it takes, every version of the model, and every
// flag and field that any of them knows, what goes out is declared there, and the rest is named.
import { describe, expect, it } from 'vitest'
import {
  fitToEndpoint,
  type AcceptedFeatures,
  type FeatureCondition,
} from '../../core/dialects/anthropic-messages/accepted-features.ts'
import { parseClaudeVersion } from '../../core/dialects/anthropic-messages/thinking.ts'
import { allProviders } from '../../core/providers/index.ts'
import type { Json } from '../support/json.ts'

const doors = allProviders.flatMap(({ id, chat = [], count }) =>
  [...chat, ...(count ? [count] : [])].flatMap(({ takes }, index) =>
    takes ? [{ door: `${id}, ${index === chat.length ? 'counting' : `door ${index}`}`, takes }] : [],
  ),
)

const models = [
  ...['claude-3-5-sonnet-20241022', 'claude-3-7-sonnet-20250219', 'claude-sonnet-4-20250514', 'claude-opus-4-1'],
  ...['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-opus-4-5', 'claude-sonnet-4-6', 'claude-opus-4-7'],
  ...['us.anthropic.claude-opus-4-8', 'claude-sonnet-5', 'claude-haiku-5-5', 'anthropic.claude-opus-5-5'],
]

/** What Claude Code and the SDKs send, and what nobody has heard of yet. */
const flags = [
  ...new Set([
    ...doors.flatMap(({ takes }) => Object.keys(takes.betas)),
    ...['oauth-2025-04-20', 'redact-thinking-2026-02-12', 'token-efficient-tools-2026-03-28', 'fast-mode-2026-02-01'],
    ...['structured-outputs-2025-12-15', 'extended-cache-ttl-2025-04-11', 'advisor-tool-2026-03-01', 'unheard-of-2027'],
  ]),
]

const mark = { type: 'ephemeral', ttl: '1h', scope: 'global' }
const block = { type: 'text', text: 'a "cache_control" in a text: {"scope": 1}', cache_control: mark }
const body = {
  model: 'claude',
  max_tokens: 10,
  system: [block],
  messages: [
    { role: 'user', content: [block] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'a', input: { cache_control: mark } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [block], cache_control: mark }] },
    { role: 'system', content: [block], output_config: { effort: 'low' }, clear_at: 'never' },
    { role: 'system', content: [], output_config: { effort: 'high' } },
  ],
  tools: [
    { name: 'a', input_schema: { type: 'object', scope: 1 }, defer_loading: true, eager_input_streaming: true },
    { name: 'b', input_schema: { type: 'object' }, input_examples: [{}], cache_control: mark, unheard_of: 1 },
    { type: 'bash_20250124', name: 'bash', defer_loading: true },
    { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  ],
  tool_choice: { type: 'tool', name: 'web_search' },
  context_management: {
    edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses_20250919' }],
  },
  output_config: { effort: 'high', task_budget: { total: 100 } },
  metadata: { user_id: 'ada' },
  thinking: { type: 'adaptive', display: 'updates', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
  cache_control: mark,
  speed: 'fast',
  unheard_of: { a: 1 },
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (run: Uint8Array): Json => JSON.parse(new TextDecoder().decode(run))
const send = (
  takes: AcceptedFeatures,
  model: string,
  betas: readonly string[],
  more: string[] = [],
  said: object = body,
) => fitToEndpoint({ body: bytes(said), betas }, takes, [model], more)

/** Is the word taken, by the declaration alone? */
function takes(word: FeatureCondition | undefined, model: string, sent: readonly string[]): boolean {
  const version = parseClaudeVersion(model) ?? 0
  if (!word || version < (word.from ?? 0) || version > (word.until ?? Infinity) || word.except?.test(model))
    return false
  return !word.with || word.with.some((flag) => sent.includes(flag))
}

/** Everywhere in the value where a mark of the cache may stand. */
const marksIn = ({ system, messages, tools = [], cache_control }: Json): Json[] =>
  [
    cache_control,
    ...[...system, ...tools].map((one: Json) => one.cache_control),
    ...messages.flatMap(({ content }: Json) =>
      content.flatMap((one: Json) => [
        one.cache_control,
        ...(Array.isArray(one.content) ? one.content : []).map((inner: Json) => inner.cache_control),
      ]),
    ),
  ].filter((one) => one !== undefined)

describe.each(doors)('$door', ({ takes: words }) => {
  it('says when its list was read, and where', () => {
    expect(words.read_on).toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const page of words.pages) expect(page).toMatch(/^https:\/\//)
  })

  it.each(models)('sends the flags that are declared for %s, and names the others', (model) => {
    const { betas, dropped } = send(words, model, flags)
    for (const flag of betas) expect(takes(words.betas[flag], model, betas), flag).toBe(true)
    const renamed = flags.filter((flag) => words.betas[flag]?.as)
    for (const flag of flags) {
      if (!renamed.includes(flag)) expect(betas.includes(flag) !== dropped.includes(flag), flag).toBe(true)
      else expect(betas.includes(words.betas[flag]!.as!) || dropped.includes(flag), flag).toBe(true)
    }
  })

  it.each(models)('sends the fields that are declared for %s, and names the others', (model) => {
    const { fields } = words
    for (const betas of [flags, []]) {
      const { body: out, betas: sent, dropped } = send(words, model, betas)
      if (!fields) return expect(json(out)).toEqual(body)
      const left = json(out)
      const taken = (name: string) => takes(fields[name], model, sent)
      for (const key of Object.keys(body)) {
        if (['output_config', 'context_management', 'tool_choice'].includes(key)) continue
        expect(key in left, key).toBe(taken(key))
        expect(dropped.includes(key), key).toBe(!taken(key))
      }
      for (const field of ['defer_loading', 'eager_input_streaming', 'input_examples', 'unheard_of']) {
        expect(JSON.stringify(left.tools).includes(`"${field}"`), field).toBe(taken(`tools.${field}`))
        expect(dropped.includes(`tools.${field}`), field).toBe(!taken(`tools.${field}`))
      }
      for (const part of ['ttl', 'scope']) {
        for (const one of marksIn(left)) expect(part in one, part).toBe(taken(`cache_control.${part}`))
        expect(dropped.includes(`cache_control.${part}`), part).toBe(!taken(`cache_control.${part}`))
      }
      for (const { type } of body.context_management.edits) {
        const name = `context_management.edits.${type}`
        expect(JSON.stringify(left.context_management ?? {}).includes(type), name).toBe(taken(name))
        expect(
          dropped.some((one) => name.startsWith(one)),
          name,
        ).toBe(!taken(name))
      }
      const [, , , turn, change] = left.messages
      for (const part of ['output_config', 'clear_at']) expect(part in turn, part).toBe(taken(`messages.${part}`))
      // What only changes the effort goes with the change.
      expect(change !== undefined).toBe(taken('messages.output_config'))
      for (const part of ['output_config', 'clear_at'])
        expect(dropped.includes(`messages.${part}`), part).toBe(!taken(`messages.${part}`))
      for (const [part, name] of [
        ['block_binding', 'thinking.block_binding'],
        ['display', 'thinking.display.updates'],
      ] as const) {
        expect(part in left.thinking, name).toBe(taken(name))
        expect(dropped.includes(name), name).toBe(!taken(name))
      }
      const search = takes(words.tools?.web_search, model, sent)
      expect(left.tools.some((tool: Json) => tool.name === 'web_search')).toBe(search)
      expect('tool_choice' in left).toBe(search)
      // What only looks like a word of Anthropic's is the caller's own.
      expect(left.messages[0].content[0].text).toBe(block.text)
      expect(left.messages[1]).toEqual(body.messages[1])
      expect(left.tools[0].input_schema).toEqual(body.tools[0]!.input_schema)
    }
  })

  it('takes what its operator adds, one by one or all of it', () => {
    const more = ['unheard-of-2027', 'unheard_of', 'tools.unheard_of', 'cache_control.scope']
    const added = send(words, 'claude-sonnet-4-6', ['unheard-of-2027'], more)
    expect(added.betas).toEqual(['unheard-of-2027'])
    for (const name of more) expect(added.dropped).not.toContain(name)
    expect(json(added.body)).toMatchObject({ unheard_of: { a: 1 } })
    expect(JSON.stringify(json(added.body).tools)).toContain('"unheard_of":1')
    expect(send(words, 'claude-sonnet-4-6', flags, ['*'])).toEqual({ betas: flags, body: bytes(body), dropped: [] })
  })

  it('leaves the bytes of a request as they are that says nothing else', () => {
    const plain = bytes({ model: 'claude', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }], tools: [] })
    const sent = fitToEndpoint({ body: plain, betas: [] }, words, ['claude-sonnet-4-6'], [])
    expect(sent.body === plain || words.fields?.max_tokens === undefined).toBe(true)
  })

  it('reads flags in the body like those of the header', () => {
    const { betas, dropped } = send(words, 'claude-opus-4-5', [], [], { ...body, anthropic_beta: flags })
    expect(betas).toEqual(send(words, 'claude-opus-4-5', flags).betas)
    expect(dropped).toContain('unheard-of-2027')
  })
})
