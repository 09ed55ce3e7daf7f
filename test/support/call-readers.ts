// Calls of tools and the text beside them, read out of answers as the vendors' own clients read them, piece by piece: a name that
// is said twice is a name twice as long.
import { expect } from 'vitest'
import type { Dialect } from '../../core/dialects/dialect.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../core/index.ts'
import type { Json } from './json.ts'

/** What a client has read. */
export interface Read {
  calls: { id?: string; name: string; args: string }[]
  text: string
}

/** A format, its stream read, and its whole answer. */
export const callReaders: [Dialect, (events: Json[]) => Read, (answer: Json) => Read][] = [
  [openaiChat, readChunks, ({ choices: [{ message }] }) => chatRead(message)],
  [openaiResponses, readOutput, ({ output }) => itemsRead(output)],
  [anthropicMessages, readBlocks, ({ content }) => blocksRead(content)],
  [geminiGenerate, (chunks) => partsRead(chunks.flatMap(partsIn)), (answer) => partsRead(partsIn(answer))],
]

function chatRead({ content, tool_calls = [] }: Json): Read {
  const calls = tool_calls.map((call: Json) => ({
    id: call.id,
    name: call.function.name,
    args: call.function.arguments,
  }))
  return { text: content ?? '', calls }
}

function readChunks(chunks: Json[]): Read {
  const read: Read = { calls: [], text: '' }
  for (const { delta } of chunks.flatMap(({ choices }) => choices)) {
    read.text += delta.content ?? ''
    for (const { index, id, function: said } of delta.tool_calls ?? []) {
      const call = (read.calls[index] ??= { name: '', args: '' })
      call.id ??= id
      call.name += said.name ?? ''
      call.args += said.arguments ?? ''
    }
  }
  return read
}

const itemsRead = (items: Json[]): Read => ({
  calls: items
    .filter(({ type }) => type === 'function_call')
    .map((item) => ({ id: item.call_id, name: item.name, args: item.arguments })),
  text: items.flatMap(({ content = [] }) => content.map(({ text }: Json) => text)).join(''),
})

function readOutput(events: Json[]): Read {
  const args = new Map<string, string>()
  for (const { type, item_id, delta } of events) {
    if (type === 'response.function_call_arguments.delta') args.set(item_id, (args.get(item_id) ?? '') + delta)
  }
  const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
  for (const { id, type, arguments: said } of items) if (type === 'function_call') expect(args.get(id)).toBe(said)
  return itemsRead(items)
}

const blocksRead = (blocks: Json[]): Read => ({
  calls: blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({ id, name, args: typeof input === 'string' ? input : JSON.stringify(input) })),
  text: blocks.map(({ text }) => text ?? '').join(''),
})

function readBlocks(events: Json[]): Read {
  const blocks: Json[] = []
  let open: number | undefined
  for (const { type, index, content_block, delta } of events) {
    if (type === 'content_block_start') {
      expect(open, 'a block begins where none is open').toBeUndefined()
      blocks[(open = index)] = { ...content_block, ...(content_block.type === 'tool_use' ? { input: '' } : {}) }
    } else if (type === 'content_block_delta') {
      expect(index, 'more is said of the open block alone').toBe(open)
      if (delta.text) blocks[index]!.text += delta.text
      if (delta.partial_json) blocks[index]!.input += delta.partial_json
    } else if (type === 'content_block_stop') open = undefined
  }
  return blocksRead(blocks)
}

const partsIn = ({ candidates: [{ content }] }: Json): Json[] => content.parts

const partsRead = (parts: Json[]): Read => ({
  calls: parts.flatMap(({ functionCall: call }) =>
    call ? [{ id: call.id, name: call.name, args: JSON.stringify(call.args) }] : [],
  ),
  text: parts.map(({ text }) => text ?? '').join(''),
})
