// A conversation of the playground: prompts, each with an answer of every asked model, and the request for the next
// one.

/** The states complete and error are final. */
export type AnswerState = 'loading' | 'incomplete' | 'complete' | 'error'

export interface ToolCall {
  name: string
  /** JSON, incomplete while it streams. */
  arguments: string
}

/** Why the answer is missing or incomplete. */
export interface AnswerError {
  message: string
  /** Earliest time for a retry, in epoch ms. */
  until?: number
}

export interface PlaygroundAnswer {
  model: string
  state: AnswerState
  text: string
  reasoning: string
  /** Addresses, mostly of the data scheme. */
  pictures: string[]
  tools: ToolCall[]
  failure?: AnswerError
  /** The user has stopped it. */
  stopped?: boolean
  /** Request id of its row in the log. */
  request_id?: string
  /** In tokens. */
  usage?: { prompt: number; completion: number }
  /** Time from sending to the first piece, and to the last, in ms. */
  first_ms?: number
  ms?: number
  /** The charge, in quota units. */
  quota?: number
}

/** A prompt, and the answer of each model in the order of the options. */
export interface ConversationTurn {
  id: string
  text: string
  /** Addresses of the data scheme. */
  pictures: string[]
  answers: PlaygroundAnswer[]
  /** The exchange that a conversation starts with; no model was asked. */
  greeting?: boolean
}

export interface PlaygroundOptions {
  /** Empty for the user's own group. */
  group: string
  /** The models that are asked in parallel. */
  models: string[]
  temperature: number
  max_tokens: number
  system: string
}

/** `update` receives the current options, which may be later than those on the screen, and returns them if nothing changes. */
export type SetPlaygroundOptions = (update: (current: PlaygroundOptions) => PlaygroundOptions) => void

export interface PlaygroundConversation {
  id: string
  user_id: number
  name: string
  /** Time of the last change, in epoch ms. */
  changed: number
  options: PlaygroundOptions
  turns: ConversationTurn[]
}

export const MAX_COMPARED_MODELS = 4
/** Maximum length of a conversation's name, in characters. */
const LONGEST_NAME = 60

type MessagePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }
export interface PlaygroundMessage {
  role: 'system' | 'user' | 'assistant'
  content: string | MessagePart[]
}

/** The request body of the specification; `stream_options` requests the token counts at its end. */
export interface ChatBody {
  messages: PlaygroundMessage[]
  stream: true
  stream_options: { include_usage: true }
  model: string
  group: string
  max_tokens: number
  temperature: number
}

export const createLoadingAnswer = (model: string): PlaygroundAnswer => ({
  model,
  state: 'loading',
  text: '',
  reasoning: '',
  pictures: [],
  tools: [],
})

export const hasEnded = ({ state }: PlaygroundAnswer): boolean => state === 'complete' || state === 'error'

/** Returns the answer that a lane continues from; a lane that was added later continues from the first one. */
export const getLaneAnswer = ({ answers }: ConversationTurn, lane: number): PlaygroundAnswer | undefined =>
  answers[lane] ?? answers[0]

/** Returns the messages of a lane before a turn. An answer without text is left out. */
export function buildLaneMessages(
  { options, turns }: PlaygroundConversation,
  turnId: string,
  lane: number,
): PlaygroundMessage[] {
  const at = turns.findIndex(({ id }) => id === turnId)
  const before = turns.slice(0, at).flatMap((turn): PlaygroundMessage[] => {
    const answerText = getLaneAnswer(turn, lane)?.text
    return [toUserMessage(turn), ...(answerText ? [{ role: 'assistant' as const, content: answerText }] : [])]
  })
  const system = options.system.trim()
  return [...(system ? [{ role: 'system' as const, content: system }] : []), ...before, toUserMessage(turns[at]!)]
}

function toUserMessage({ text, pictures }: ConversationTurn): PlaygroundMessage {
  if (pictures.length === 0) return { role: 'user', content: text }
  const words: MessagePart[] = text === '' ? [] : [{ type: 'text', text }]
  return {
    role: 'user',
    content: [...words, ...pictures.map((url): MessagePart => ({ type: 'image_url', image_url: { url } }))],
  }
}

export const buildChatBody = (
  conversation: PlaygroundConversation,
  turnId: string,
  lane: number,
  model: string,
): ChatBody => ({
  messages: buildLaneMessages(conversation, turnId, lane),
  stream: true,
  stream_options: { include_usage: true },
  model,
  group: conversation.options.group,
  max_tokens: conversation.options.max_tokens,
  temperature: conversation.options.temperature,
})

/** Returns a name from the first prompt. */
export const toConversationName = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return [...line].length > LONGEST_NAME ? `${[...line].slice(0, LONGEST_NAME - 1).join('')}…` : line
}

/** Returns the turns with one answer changed. */
export const setTurnAnswer = (
  turns: ConversationTurn[],
  turnId: string,
  lane: number,
  answer: PlaygroundAnswer,
): ConversationTurn[] =>
  turns.map((turn) =>
    turn.id === turnId ? { ...turn, answers: Object.assign([...turn.answers], { [lane]: answer }) } : turn,
  )

/** Ends the answers that were in progress when the page was left, for reading a conversation again. */
export const endOpenAnswers = (conversation: PlaygroundConversation): PlaygroundConversation => ({
  ...conversation,
  turns: conversation.turns.map((turn) => ({
    ...turn,
    answers: turn.answers.map((answer) =>
      hasEnded(answer) ? answer : { ...answer, state: 'complete' as const, stopped: true },
    ),
  })),
})
