// Anthropic's rules for the messages of a request.
import { Refusal } from '../vendor.ts'
import { familyOf } from './families.ts'
import type { Block, MessagesBody } from './shape.ts'

type Message = MessagesBody['messages'][number]

export const blocksOf = (content: Message['content']): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])

/** Neighbours of one role are one message. */
function merged(messages: readonly Message[]): { role: Message['role']; blocks: Block[] }[] {
  const out: { role: Message['role']; blocks: Block[] }[] = []
  for (const { role, content } of messages) {
    const last = out.at(-1)
    if (last?.role === role) last.blocks.push(...blocksOf(content))
    else out.push({ role, blocks: [...blocksOf(content)] })
  }
  return out
}

/** @param issued whether a signature is one of the vendor's. @throws Refusal */
export function checkMessages(body: MessagesBody, issued: (signature: string) => boolean): void {
  const { messages, system, model } = body
  if (messages.length === 0) throw new Refusal('messages: at least one message is required')
  if (messages[0]?.role !== 'user') throw new Refusal('messages: first message must use the "user" role')
  if (!familyOf(model).turns && messages.some(({ role }) => role === 'system')) throw unexpectedRole('system')
  for (const block of typeof system === 'object' ? system : []) checkText(block.text, 'system')
  for (const [at, message] of messages.entries()) {
    const { role, content = [] } = message
    if (role === 'system' && content.length === 0 && message.output_config) continue
    if (role === 'system') checkTurn(messages[at - 1]?.role, blocksOf(content), at)
    const last = at === messages.length - 1 && role === 'assistant'
    if (content.length === 0 && !last) {
      throw new Refusal(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      )
    }
    for (const [place, block] of blocksOf(content).entries()) {
      if (content.length > 0) checkBlock(block, role, `messages.${at}.content.${place}`, issued)
    }
  }
  checkEnd(messages)
  checkCalls(merged(messages))
}

export const unexpectedRole = (role: string): Refusal =>
  new Refusal(
    `messages: Unexpected role "${role}". The Messages API accepts a top-level \`system\` parameter, not "${role}" as an input message role.`,
  )

function checkTurn(before: Message['role'] | undefined, blocks: readonly Block[], at: number): void {
  if (before !== 'user') throw new Refusal(`messages.${at}: a "system" message must follow a "user" message`)
  if (blocks.some(({ type }) => type !== 'text')) throw new Refusal(`messages.${at}: "system" messages hold text only`)
}

function checkText(text: string, where: string): void {
  if (text === '') throw new Refusal(`${where}: text content blocks must be non-empty`)
  if (text.trim() === '') throw new Refusal(`${where}: text content blocks must contain non-whitespace text`)
}

function checkBlock(block: Block, role: Message['role'], where: string, issued: (signature: string) => boolean): void {
  if (block.type === 'text') {
    if (block.text === '' && block.cache_control)
      throw new Refusal(`${where}.text: cache_control cannot be set for empty text blocks`)
    checkText(block.text, 'messages')
  }
  const assistants = ['thinking', 'redacted_thinking', 'tool_use'].includes(block.type)
  if (assistants && role === 'user')
    throw new Refusal(`${where}: \`${block.type}\` blocks can only be in \`assistant\` messages`)
  if (['tool_result', 'image', 'document'].includes(block.type) && role === 'assistant') {
    throw new Refusal(`${where}: \`${block.type}\` blocks can only be in \`user\` messages`)
  }
  if (block.type === 'thinking' && !issued(block.signature))
    throw new Refusal(`${where}: Invalid \`signature\` in \`thinking\` block`)
  if (block.type === 'redacted_thinking' && !issued(block.data))
    throw new Refusal(`${where}: Invalid \`data\` in \`redacted_thinking\` block`)
  if (block.type === 'tool_result' && Array.isArray(block.content)) {
    for (const inner of block.content) if (inner.type === 'text') checkText(inner.text, where)
  }
}

function checkEnd(messages: readonly Message[]): void {
  const { role, content = [] } = messages.at(-1) as Message
  if (role !== 'assistant') return
  const last = blocksOf(content).at(-1)
  if (last?.type === 'text' && last.text !== last.text.trimEnd()) {
    throw new Refusal('messages: final assistant content cannot end with trailing whitespace')
  }
  if (last?.type === 'thinking')
    throw new Refusal('messages: The final block in an assistant message cannot be `thinking`.')
}

/** Results stand first in the message behind their calls, all of them, and nowhere else. */
function checkCalls(messages: readonly { role: string; blocks: Block[] }[]): void {
  for (const [at, { blocks }] of messages.entries()) {
    const before = messages[at - 1]?.blocks ?? []
    const called = before.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
    const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    for (const [place, id] of answered.entries()) {
      if (!called.includes(id)) {
        throw new Refusal(
          `messages.${at}.content.${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
      }
      if (answered.indexOf(id) !== place) {
        throw new Refusal(
          `messages.${at}.content.${place}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        )
      }
    }
    const first = blocks.slice(0, answered.length).every(({ type }) => type === 'tool_result')
    const open = first ? called.filter((id) => !answered.includes(id)) : called
    if (open.length > 0) throw missing(at - 1, open)
  }
  const left = (messages.at(-1)?.blocks ?? []).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  if (left.length > 0) throw missing(messages.length - 1, left)
  const ids = messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])))
  if (new Set(ids).size < ids.length) throw new Refusal('messages: `tool_use` ids must be unique')
}

const missing = (at: number, ids: readonly string[]): Refusal =>
  new Refusal(
    `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  )
