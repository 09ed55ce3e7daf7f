// `weir chat`: a conversation with models through the gateway, in the terminal.
import { hostname } from 'node:os'
import { createInterface } from 'node:readline'
import type { WeirClient } from '../../core/contracts.ts'
import { getRunningAddress } from '../connection/address.ts'
import { parseQuotaFlag } from '../input/amount.ts'
import type { ChatAnswer, ChatConversation } from '../chat.ts'
import {
  chatAnswerView,
  appendChatAnswer,
  askChatModel,
  buildMessagesFor,
  createConversation,
  parseChatLine,
  addLoggedCost,
  replaceConversationModels,
} from '../chat.ts'
import { parseExpiryFlag } from '../input/flags.ts'
import type { ForwardedSignals } from '../connection/temporary-token.ts'
import { getSignalExitCode, makeRunToken, forwardSignals } from '../connection/temporary-token.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { toCliFailure, UsageError } from '../failure.ts'
import { formatQuotaAmount } from '../output/format.ts'
import { asUntranslatedText, pickLanguage } from '../language.ts'
import { listModelNames, readTokenKey } from '../connection/token-key.ts'
import { words } from '../texts.ts'
import { parseNameList } from '../../core/channels/channel.ts'

const DEFAULT_SPAN = '8h'

export const chatCommand = command({
  name: 'chat',
  summary: words('Talk with a model, or with several side by side'),
  details: words(
    "Ctrl+C stops an answer. /model NAME changes the model, /new starts a new conversation, /quit or Ctrl+D ends. With a question after the model, or without a terminal (then standard input is the question), only the answer is printed:\n  git diff | weir chat gpt-4o --system 'Review this'\nA temporary token is created for the conversation and deleted at its end.",
  ),
  output: { view: chatAnswerView, many: false },
  arguments: {
    model: {
      spec: '[model]',
      help: words('the model (default: the first available one)'),
    },
    question: { spec: '[question...]', help: words('one question, and no conversation') },
  },
  options: {
    compare: {
      flag: '--compare <models>',
      help: words('comma list of models that answer one after the other'),
    },
    token: {
      flag: '--token <token>',
      help: words('id or name of one of your tokens, or a key, instead of a temporary token'),
    },
    budget: {
      flag: '--budget <amount>',
      help: words('dollars like 1usd or quota units it may spend'),
    },
    system: { flag: '--system <text>', help: words('system prompt for the model') },
  },
  async run(context) {
    const { args, options, money, terminal } = context
    const budget = options.budget === undefined ? undefined : parseQuotaFlag('--budget', options.budget)
    if (budget && options.token !== undefined)
      throw new UsageError(words('--budget is for a temporary token: --token has its own.'))
    const talks = terminal.interactive && args.question.length === 0
    const question = talks ? '' : args.question.join(' ') || (await context.readInput())
    if (!talks && question.trim() === '')
      throw new UsageError(words('Give a question behind the model, or on standard input.'))
    const connection = await context.connection()
    const address = await getRunningAddress(connection)
    const weir = connection.client
    // From here on a signal ends the process only after the token is deleted.
    const signals = forwardSignals()
    try {
      const lent =
        options.token === undefined
          ? await makeRunToken(weir, {
              label: `chat on ${hostname()}`,
              budget: budget?.(await money()),
              expires: parseExpiryFlag('--expires', DEFAULT_SPAN),
              team_id: 0,
            })
          : undefined
      try {
        const key = lent?.key ?? (await readTokenKey(weir, options.token))
        const named = parseNameList([args.model ?? '', options.compare ?? ''].join(','))
        const models = named.length > 0 ? named : (await listModelNames(address, key)).slice(0, 1)
        const place: ChatSession = { weir, address, key, signals }
        const conversation = createConversation(models, options.system)
        if (talks) await runConversation(context, place, conversation)
        else await answerQuestion(context, place, conversation, question)
      } finally {
        await lent?.revoke()
      }
    } finally {
      signals.release()
    }
  },
})

interface ChatSession {
  weir: WeirClient
  address: string
  key: string
  signals: ForwardedSignals
}

/** Answers one question and exits, for scripts. */
async function answerQuestion(
  context: CommandEnvironment,
  place: ChatSession,
  conversation: ChatConversation,
  question: string,
) {
  const { print, exit } = context
  const stop = new AbortController()
  place.signals.to(() => stop.abort())
  const alone = conversation.models.length === 1
  for (const model of conversation.models) {
    if (stop.signal.aborted) break
    const { answer, pieces } = askChatModel({
      ...place,
      model,
      messages: buildMessagesFor(conversation, model, question),
      signal: stop.signal,
    })
    if (print.form === 'human') {
      if (!alone) print.say(asUntranslatedText(print.paint(model, 'strong')))
      await print.file(withLineEnd(pieces))
      if (!alone)
        print.say(asUntranslatedText(`${await formatFigures(context, await addLoggedCost(place.weir, answer))}\n`))
    } else {
      for await (const _ of pieces);
      if (!answer.stopped)
        await print.next([print.quiet ? answer : await addLoggedCost(place.weir, answer)], chatAnswerView)
    }
  }
  const signal = place.signals.first()
  if (signal) exit(getSignalExitCode(signal))
}

/** Runs the conversation until the person ends it. */
async function runConversation(
  context: CommandEnvironment,
  place: ChatSession,
  initial: ChatConversation,
): Promise<void> {
  const { print, terminal, language } = context
  const { stdin: input, stdout: output } = terminal.streams
  const reader = createInterface({ input, output, prompt: '> ' })
  let stop: AbortController | undefined
  const interrupt = () => (stop ? stop.abort() : reader.close())
  reader.on('SIGINT', interrupt)
  place.signals.to((signal) => {
    stop?.abort()
    if (signal !== 'SIGINT') reader.close()
  })
  let conversation = initial
  print.say(
    asUntranslatedText(print.paint(`${conversation.models.join(', ')} · ${pickLanguage(KEYS, language)}`, 'faint')),
  )
  reader.prompt()
  for await (const typed of reader) {
    const line = parseChatLine(typed)
    if (line.kind === 'quit') return reader.close()
    if (line.kind === 'unknown') print.say(KEYS)
    if (line.kind === 'new') conversation = createConversation(conversation.models, conversation.system)
    if (line.kind === 'model') conversation = replaceConversationModels(conversation, line.models)
    if (line.kind === 'question') {
      stop = new AbortController()
      for (const model of conversation.models) {
        if (stop.signal.aborted) break
        if (conversation.models.length > 1) print.say(asUntranslatedText(print.paint(model, 'strong')))
        const answer = await printAnswer(context, place, {
          conversation,
          model,
          question: line.text,
          signal: stop.signal,
        })
        if (answer) conversation = appendChatAnswer(conversation, model, line.text, answer.text)
      }
      stop = undefined
    }
    if (place.signals.first() && place.signals.first() !== 'SIGINT') break
    reader.prompt()
  }
  reader.close()
  // The prompt waits on the line where the next output belongs.
  print.say()
}

interface ChatTurn {
  conversation: ChatConversation
  model: string
  question: string
  signal: AbortSignal
}

/** Prints an answer and its cost. A failure is reported, and the conversation continues. */
async function printAnswer(
  context: CommandEnvironment,
  place: ChatSession,
  { conversation, model, question, signal }: ChatTurn,
) {
  const { print, language } = context
  const { answer, pieces } = askChatModel({
    ...place,
    model,
    messages: buildMessagesFor(conversation, model, question),
    signal,
  })
  try {
    await print.file(withLineEnd(pieces))
    print.say(
      asUntranslatedText(print.paint(await formatFigures(context, await addLoggedCost(place.weir, answer)), 'faint')),
    )
    return answer
  } catch (error) {
    const failure = toCliFailure(error, language)
    if (failure) print.failure(failure)
    return undefined
  }
}

const KEYS = words('Ctrl+C stops an answer, /model NAME, /new, /quit')

/** Formats the cost and duration of an answer. */
async function formatFigures(
  { money, language }: CommandEnvironment,
  { model, quota, ms, stopped }: ChatAnswer,
): Promise<string> {
  const seconds = `${(ms / 1000).toFixed(1)} s`
  const cost = quota === undefined ? [] : [formatQuotaAmount(quota, { ...(await money()), display_in_currency: true })]
  return [model, ...cost, seconds, ...(stopped ? [pickLanguage(STOPPED, language)] : [])].join(' · ')
}
const STOPPED = words('stopped')

/** Adds a missing final line break, so that the next output starts on a new line. */
async function* withLineEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let last = ''
  for await (const piece of pieces) {
    if (piece === '') continue
    last = piece
    yield piece
  }
  if (last !== '' && !last.endsWith('\n')) yield '\n'
}
