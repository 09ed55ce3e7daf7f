// What was said, by model, and what a typed line means in a conversation.
import type { Message } from './chat-answer.ts'

export interface Conversation {
  /** Those that answer, one after the other. */
  models: readonly string[]
  /** What each model was told and said: with several, each knows its own answers. */
  said: ReadonlyMap<string, readonly Message[]>
  system: string | undefined
}

export const newConversation = (models: readonly string[], system: string | undefined): Conversation => ({
  models,
  said: new Map(),
  system,
})

/** What a model is asked. */
export const messagesFor = ({ said, system }: Conversation, model: string, question: string): Message[] => [
  ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
  ...(said.get(model) ?? []),
  { role: 'user', content: question },
]

/** With an answer; an empty one leaves nothing, for some models refuse empty messages. */
export function appendAnswer(
  conversation: Conversation,
  model: string,
  question: string,
  answer: string,
): Conversation {
  if (answer === '') return conversation
  const now: Message[] = [
    ...(conversation.said.get(model) ?? []),
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ]
  return { ...conversation, said: new Map([...conversation.said, [model, now]]) }
}

/** Others go on with what the first was told and said, those that were here with their own. */
export function withModels(conversation: Conversation, models: readonly string[]): Conversation {
  const { said } = conversation
  const [before = ''] = conversation.models
  const first = said.get(before) ?? []
  return { ...conversation, models, said: new Map(models.map((model) => [model, said.get(model) ?? first])) }
}

export type Line =
  | { kind: 'question'; text: string }
  | { kind: 'model'; models: string[] }
  | { kind: 'new' }
  | { kind: 'quit' }
  | { kind: 'nothing' }
  | { kind: 'unknown' }

/** What a line means. */
export function parseChatLine(typed: string): Line {
  const text = typed.trim()
  if (text === '') return { kind: 'nothing' }
  if (!text.startsWith('/')) return { kind: 'question', text }
  const [command = '', ...rest] = text.split(/\s+/)
  const models = namesIn(rest.join(','))
  if (command === '/model' && models.length > 0) return { kind: 'model', models }
  if (command === '/new' && rest.length === 0) return { kind: 'new' }
  if (command === '/quit' && rest.length === 0) return { kind: 'quit' }
  return { kind: 'unknown' }
}

/** Names behind commas, each once. */
export const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]
