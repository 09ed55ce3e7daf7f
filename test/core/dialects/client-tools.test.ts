// Tools that OpenAI's formats have more words for than functions: what other providers are asked, and what comes back.
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import { flattenToolName } from '../../../core/dialects/requests/tools.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const jsonOf = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))

const PATCH = '*** Begin Patch\n*** Add File: a "b".txt\n+😀\\n\n*** End Patch'
const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: patch' }
const find = { type: 'function', name: 'find', description: 'Finds.', parameters: { type: 'object', properties: {} } }

interface Case {
  tool: object
  /** The function that stands for it. */
  name: string
  /** What the model says, as a function's arguments. */
  said: object
  /** The item that the caller reads, but for ids. */
  item: Json
  answer: Json
  /** What the model reads as the tool's answer. */
  read: string
}

const plain = (output: string) => ({ output })
const cases: Record<string, Case> = {
  custom: {
    tool: { type: 'custom', name: 'apply_patch', description: 'Edits files.', format: grammar },
    name: 'apply_patch',
    said: { input: PATCH },
    item: { type: 'custom_tool_call', name: 'apply_patch', input: PATCH },
    answer: { type: 'custom_tool_call_output', ...plain('Done') },
    read: 'Done',
  },
  'custom in a namespace': {
    tool: { type: 'namespace', name: 'files', description: 'Files.', tools: [{ type: 'custom', name: 'edit' }] },
    name: 'files__edit',
    said: { input: PATCH },
    item: { type: 'custom_tool_call', namespace: 'files', name: 'edit', input: PATCH },
    answer: { type: 'custom_tool_call_output', output: [{ type: 'input_text', text: 'Done' }] },
    read: 'Done',
  },
  namespace: {
    tool: { type: 'namespace', name: 'mcp__files__', description: 'Files.', tools: [find] },
    name: 'mcp__files__find',
    said: { path: 'a' },
    item: { type: 'function_call', namespace: 'mcp__files__', name: 'find', arguments: '{"path":"a"}' },
    answer: { type: 'function_call_output', ...plain('Found') },
    read: 'Found',
  },
  'a namespace with a long name': {
    tool: { type: 'namespace', name: 'n'.repeat(60), description: '', tools: [find] },
    name: flattenToolName('n'.repeat(60), 'find'),
    said: {},
    item: { type: 'function_call', namespace: 'n'.repeat(60), name: 'find', arguments: '{}' },
    answer: { type: 'function_call_output', ...plain('Found') },
    read: 'Found',
  },
  local_shell: {
    tool: { type: 'local_shell' },
    name: 'local_shell',
    said: { command: ['ls', '-l'], timeout_ms: 5 },
    item: {
      type: 'local_shell_call',
      action: { type: 'exec', command: ['ls', '-l'], env: {}, timeout_ms: 5 },
    },
    answer: { type: 'local_shell_call_output', ...plain('a.txt') },
    read: 'a.txt',
  },
  shell: {
    tool: { type: 'shell', environment: { type: 'local' } },
    name: 'shell',
    said: { commands: ['ls'] },
    item: {
      type: 'shell_call',
      action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
      environment: { type: 'local' },
    },
    answer: {
      type: 'shell_call_output',
      output: [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    read: '[{"stdout":"a.txt","stderr":"","outcome":{"type":"exit","exit_code":0}}]',
  },
  apply_patch: {
    tool: { type: 'apply_patch' },
    name: 'apply_patch',
    said: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' },
    item: { type: 'apply_patch_call', operation: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b' } },
    answer: { type: 'apply_patch_call_output', status: 'failed', output: 'No such file' },
    read: 'No such file',
  },
  tool_search: {
    tool: { type: 'tool_search', execution: 'client', description: 'Looks.', parameters: { type: 'object' } },
    name: 'tool_search',
    said: { query: 'files' },
    item: { type: 'tool_search_call', execution: 'client', arguments: { query: 'files' } },
    answer: { type: 'tool_search_output', execution: 'client', tools: [find] },
    read: 'Loaded: find',
  },
}

const each = Object.entries(cases)

/** What a provider's stream of one call becomes in the events of Responses, with its last. */
function answered({ tool, name, said }: Case, cut: number): { events: Json[]; item: Json } {
  const head = openaiResponses.readRequestHead(bytes({ model: 'm', input: 'x', tools: [tool] }))
  const json = JSON.stringify(said)
  const events: ModelEvent[] = [
    { type: 'start', id: 'msg_1', model: 'm', created: 1 },
    { type: 'tool_call', index: 0, choice: 0, id: 'call_1', name, arguments: '' },
    { type: 'tool_call', index: 0, choice: 0, arguments: json.slice(0, cut) },
    { type: 'tool_call', index: 0, choice: 0, arguments: json.slice(cut) },
    { type: 'finish', reason: 'tool_calls', choice: 0 },
    { type: 'end' },
  ]
  const write = openaiResponses.writer(head)
  const frames = events.flatMap(write).map(({ data }) => JSON.parse(data) as Json)
  const [item] = frames.at(-1)!.response.output as Json[]
  expect(jsonOf(openaiResponses.writeWholeReply(events, head)).output).toEqual([item])
  return { events: frames, item: item! }
}

/** The functions that a provider is told of, and what it is told of a call of the first and its answer. */
const toldTo: Record<string, (body: Json) => { names: string[]; call: unknown; answer: unknown }> = {
  [openaiChat.name]: ({ tools, messages }) => ({
    names: tools.map((tool: Json) => tool.function.name),
    call: JSON.parse(messages[1].tool_calls[0].function.arguments),
    answer: messages[2].content,
  }),
  [anthropicMessages.name]: ({ tools, messages }) => ({
    names: tools.map((tool: Json) => tool.name),
    call: messages[1].content[0].input,
    answer: messages[2].content[0].content,
  }),
  [geminiGenerate.name]: ({ tools, contents }) => ({
    names: tools[0].functionDeclarations.map((tool: Json) => tool.name),
    call: contents[1].parts[0].functionCall.args,
    answer:
      contents[2].parts[0].functionResponse.response.output ?? contents[2].parts[0].functionResponse.response.error,
  }),
}

describe.each([openaiChat, anthropicMessages, geminiGenerate].map((to) => [to.name, to] as [string, Dialect]))(
  'a tool of a Responses caller, at a provider of %s',
  (name, to) => {
    it('is written as a function, with its call and its answer', async () => {
      const failures = await listFailures(
        each,
        ([tool]) => tool,
        ([, one]) => {
          const { item } = answered(one, 4)
          const input = [
            { role: 'user', content: 'Go on' },
            { id: 'x', status: 'completed', ...item },
            {
              ...one.answer,
              ...(one.answer.type === 'local_shell_call_output' ? { id: item.id } : { call_id: 'call_1' }),
            },
          ]
          const request = openaiResponses.readModelRequest(bytes({ model: 'm', input, tools: [one.tool] }))
          const { body, dropped } = to.writeModelRequest(request)
          const told = toldTo[name]!(jsonOf(body))
          expect(told.names[0]).toBe(one.name)
          expect(told.names[0]).toMatch(/^[\w-]{1,64}$/)
          expect(told.call).toMatchObject(one.said)
          expect(told.answer).toBe(one.read)
          expect([...(request.lost ?? []), ...dropped].filter((field) => field !== 'tool_result.is_error')).toEqual([])
        },
      )
      expect(failures).toEqual([])
    })
  },
)

describe('the call of such a tool, in the events of Responses', () => {
  it('has its own kind of item, wherever it is cut', async () => {
    const failures = await listFailures(
      each,
      ([tool]) => tool,
      ([, one]) => {
        for (let cut = 0; cut <= JSON.stringify(one.said).length; cut++) {
          const { events, item } = answered(one, cut)
          expect(item).toMatchObject({ ...one.item, call_id: 'call_1', status: 'completed' })
          const types = events.map(({ type }) => type)
          expect(types.slice(2, 3)).toEqual(['response.output_item.added'])
          expect(types.slice(-2)).toEqual(['response.output_item.done', 'response.completed'])
          expect(events.at(-2)).toMatchObject({ item })
        }
      },
    )
    expect(failures).toEqual([])
  })

  it('tells the text of a custom tool piece by piece', () => {
    const { events } = answered(cases.custom!, 20)
    const told = events.filter(({ type }) => String(type).startsWith('response.custom_tool_call_input'))
    const deltas = told.slice(0, -1).map(({ delta }) => String(delta))
    expect(deltas.length).toBeGreaterThan(1)
    expect(deltas.join('')).toBe(PATCH)
    expect(told.at(-1)).toMatchObject({ type: 'response.custom_tool_call_input.done', input: PATCH })
  })
})

describe('tools that are loaded later', () => {
  const deferred = { ...find, defer_loading: true }
  const read = (more: object) => openaiResponses.readModelRequest(bytes({ model: 'm', input: 'x', ...more }))

  it('are sent with the others where the provider would search them', () => {
    const { tools, lost } = read({
      tools: [{ type: 'namespace', name: 'n', tools: [deferred] }, { type: 'tool_search' }],
    })
    expect(tools).toMatchObject([{ name: 'n__find' }])
    expect(lost).toEqual(['tools.defer_loading', 'tools.tool_search'])
  })

  it('are sent once they were found, and once alone', () => {
    const found = { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [find] }
    expect(read({ input: [found, { type: 'additional_tools', role: 'developer', tools: [find] }] }).tools).toHaveLength(
      1,
    )
  })

  it('name what the provider searched by itself', () => {
    const input = [{ type: 'tool_search_call', execution: 'server', call_id: null, arguments: {} }]
    expect(read({ input }).lost).toEqual(['input.tool_search_call'])
  })
})

describe('a choice of tools', () => {
  const tools = [find, { ...find, name: 'other' }, { type: 'custom', name: 'edit' }]
  const read = (tool_choice: object) =>
    openaiResponses.readModelRequest(bytes({ model: 'm', input: 'x', tools, tool_choice }))
  const allowed = (mode: string, ...names: string[]) => ({
    type: 'allowed_tools',
    mode,
    tools: names.map((name) => ({ type: 'function', name })),
  })

  it.each([
    [{ type: 'custom', name: 'edit' }, { name: 'edit' }, 3],
    [allowed('auto', 'find', 'edit'), 'auto', 2],
    [allowed('required', 'find', 'edit'), 'required', 2],
    [allowed('required', 'edit'), { name: 'edit' }, 1],
  ])('%j', (choice, neutral, left) => {
    const request = read(choice)
    expect(request.tool_choice).toEqual(neutral)
    expect(request.tools).toHaveLength(left)
    expect(request.lost).toBeUndefined()
  })
})

describe('what a history may hold beside', () => {
  it.each([
    'web_search_call',
    'file_search_call',
    'code_interpreter_call',
    'computer_call',
    'computer_call_output',
    'image_generation_call',
    'mcp_list_tools',
    'mcp_call',
    'mcp_approval_request',
    'mcp_approval_response',
    'program',
    'program_output',
    'compaction_trigger',
    'something_newer',
  ])('%s is named', (type) => {
    const input = [
      { role: 'user', content: 'x' },
      { type, id: 'i', call_id: 'c' },
    ]
    expect(openaiResponses.readModelRequest(bytes({ model: 'm', input })).lost).toEqual([`input.${type}`])
  })
})
