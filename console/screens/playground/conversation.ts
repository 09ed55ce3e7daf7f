// A conversation of the playground: prompts, each with an answer of every model that was asked, and what is sent for the next.

/** Complete and error do not change any more. */
export type AnswerState = 'loading' | 'incomplete' | 'complete' | 'error'

export interface ToolCall {
  name: string
  /** JSON, as far as it has come. */
  arguments: string
}

/** Why there is no answer, or no more of it. */
export interface Failure {
  message: string
  /** When it is worth asking again, in epoch ms. */
  until?: number
}

export interface Answer {
  model: string
  state: AnswerState
  text: string
  reasoning: string
  /** Addresses, mostly of the scheme data. */
  pictures: string[]
  tools: ToolCall[]
  failure?: Failure
  /** It was broken off by who asked. */
  stopped?: boolean
  /** Under which the log has it. */
  request_id?: string
  /** Tokens. */
  usage?: { prompt: number; completion: number }
  /** From sending to the first piece, and to the last. */
  first_ms?: number
  ms?: number
  /** What was charged, in quota units. */
  quota?: number
}

/** What was asked, and the answer of each model in the order of the options. */
export interface Turn {
  id: string
  text: string
  /** As addresses of the scheme data. */
  pictures: string[]
  answers: Answer[]
  /** The exchange that a conversation begins with: nobody was asked. */
  greeting?: boolean
}

export interface Options {
  /** Empty for the user's own. */
  group: string
  /** Asked side by side. */
  models: string[]
  temperature: number
  max_tokens: number
  system: string
}

export interface Conversation {
  id: string
  user_id: number
  name: string
  /** Epoch ms. */
  changed: number
  options: Options
  turns: Turn[]
}

export const MOST_MODELS = 4
/** Unit: characters. */
const LONGEST_NAME = 60

type Part = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }
export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string | Part[]
}

/** What is sent, as the specification has it; `stream_options` asks for the tokens at its end. */
export interface ChatBody {
  messages: Message[]
  stream: true
  stream_options: { include_usage: true }
  model: string
  group: string
  max_tokens: number
  temperature: number
}

export const blankAnswer = (model: string): Answer => ({
  ...{ model, state: 'loading', text: '', reasoning: '', pictures: [], tools: [] },
})

export const isOver = ({ state }: Answer): boolean => state === 'complete' || state === 'error'

/** The answer that goes on in a lane; a lane that came later goes on with the first one's. */
export const answerIn = ({ answers }: Turn, lane: number): Answer | undefined => answers[lane] ?? answers[0]

/** What a model is told of what was said in its lane before it answers a turn. An answer without words is not. */
export function messagesFor({ options, turns }: Conversation, turnId: string, lane: number): Message[] {
  const at = turns.findIndex(({ id }) => id === turnId)
  const before = turns.slice(0, at).flatMap((turn): Message[] => {
    const said = answerIn(turn, lane)?.text
    return [asked(turn), ...(said ? [{ role: 'assistant' as const, content: said }] : [])]
  })
  const system = options.system.trim()
  return [...(system ? [{ role: 'system' as const, content: system }] : []), ...before, asked(turns[at]!)]
}

function asked({ text, pictures }: Turn): Message {
  if (pictures.length === 0) return { role: 'user', content: text }
  const words: Part[] = text === '' ? [] : [{ type: 'text', text }]
  return {
    role: 'user',
    content: [...words, ...pictures.map((url): Part => ({ type: 'image_url', image_url: { url } }))],
  }
}

export const bodyFor = (conversation: Conversation, turnId: string, lane: number, model: string): ChatBody => ({
  messages: messagesFor(conversation, turnId, lane),
  stream: true,
  stream_options: { include_usage: true },
  model,
  group: conversation.options.group,
  max_tokens: conversation.options.max_tokens,
  temperature: conversation.options.temperature,
})

/** By what was asked first. */
export const nameFrom = (text: string): string => {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return [...line].length > LONGEST_NAME ? `${[...line].slice(0, LONGEST_NAME - 1).join('')}…` : line
}

/** With one answer changed. */
export const withAnswer = (turns: Turn[], turnId: string, lane: number, answer: Answer): Turn[] =>
  turns.map((turn) =>
    turn.id === turnId ? { ...turn, answers: Object.assign([...turn.answers], { [lane]: answer }) } : turn,
  )

/** As it is read again: what was under way when the page was left does not come any more. */
export const settled = (conversation: Conversation): Conversation => ({
  ...conversation,
  turns: conversation.turns.map((turn) => ({
    ...turn,
    answers: turn.answers.map((answer) =>
      isOver(answer) ? answer : { ...answer, state: 'complete' as const, stopped: true },
    ),
  })),
})
