// `weir why`: a call with its trace, its price, its route now, and what to do.
import { errors, fillTemplate, type Words } from '../../core/errors.ts'
import type { ChargeExplanation } from '../../core/logs/explanation.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { USER_ROLE } from '../../core/users/user.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { findRefusal, GatewayRefusal } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { findDeclaredError, listCallAdvice, listErrorAdvice, type FailureAdvice } from '../nouns/failure-advice.ts'
import { findFailureByText, findNamedRequest, findRequiredLastFailure } from '../nouns/failed-call.ts'
import { routeView, type RouteExplanation } from '../nouns/route.ts'
import { buildPriceLines } from '../output/bill.ts'
import { object, text, toPlainRow, type OutputView } from '../output/view.ts'
import { words } from '../texts.ts'
import { explainCharge, printTrace, traceView } from './logs/trace.ts'
import { printRoute } from './route.ts'

/** A call, or an error without a known call, and what to do. */
interface ExplainedFailure {
  call: ChargeExplanation | undefined
  /** Code of the error, if no call of it is known. */
  code: string | undefined
  /** The route of the same model now; undefined for ordinary users. */
  route: RouteExplanation | undefined
  advice: readonly FailureAdvice[]
}

const NO_MONEY = { quota_per_unit: 1, display_in_currency: false }

const whyView: OutputView<ExplainedFailure> = {
  ...(Object.fromEntries(
    Object.entries(traceView).map(([name, field]) => [
      name,
      { ...field, of: ({ call }: ExplainedFailure) => call && field.of(call) },
    ]),
  ) as OutputView<ExplainedFailure>),
  code: text(words('ERROR CODE'), 1, ({ code }) => code),
  lines: object(words('LINES'), ({ call }) => call?.lines ?? []),
  route: object(words('ROUTE'), ({ route }) => route && toPlainRow(routeView, route, NO_MONEY)),
  advice: object(words('WHAT TO DO'), ({ advice }) =>
    advice.map(({ text: { en }, command: line }) => ({ text: en, command: line || null })),
  ),
}

/** Returns the request id that is meant; undefined if no call is known. */
async function findMeantRequest(weir: WeirClient, given: string): Promise<string | undefined> {
  if (given === '') return findRequiredLastFailure(weir)
  const named = findNamedRequest(given)
  if (named !== undefined) return named
  return /\s/.test(given) ? findFailureByText(weir, given) : given
}

/** Explains a call by its request id; undefined if there is none and `given` was not meant as one. */
async function findMeantCall(weir: WeirClient, given: string): Promise<ChargeExplanation | undefined> {
  const request = await findMeantRequest(weir, given)
  if (request === undefined) return undefined
  return explainCharge(weir, request).catch(async (error: unknown) => {
    if (findRefusal(error)?.code !== 'log.missing' || request !== given) throw error
    const other = await findFailureByText(weir, given)
    if (other !== undefined) return explainCharge(weir, other)
    if (findDeclaredError(given) !== undefined) return undefined
    throw error
  })
}

async function explainFailure(weir: WeirClient, given: string): Promise<ExplainedFailure> {
  const reader = await weir.users.self()
  const call = await findMeantCall(weir, given)
  if (!call) {
    const code = findDeclaredError(given)
    if (code === undefined) throw new GatewayRefusal(fillTemplate(UNKNOWN, { text: given }), 'log.missing')
    return { call, code, route: undefined, advice: listErrorAdvice(code, reader) }
  }
  const model = call.asked_model ?? call.log?.model_name ?? ''
  const hasRoute = reader.role >= USER_ROLE.admin && model !== ''
  const route = hasRoute ? await weir.channels.route({ model, group: call.log?.group }) : undefined
  return { call, code: undefined, route, advice: listCallAdvice(call, reader) }
}

const UNKNOWN = words('No failed call has an error with the text "{text}": see `weir logs ls --type error`.')

export const whyCommand = command({
  endpoint: 'logs.explain',
  name: 'why',
  readOnly: true,
  output: { view: whyView, many: false },
  summary: words('Explain a call that failed: its tries, its price, its route now, and what to do'),
  details: words(
    'weir why explains the last call that failed: yours, or anybody\'s as an administrator. weir why "No available channel" explains the last one with that error.',
  ),
  arguments: { text: { spec: '[text...]', help: words('request id, or text of an error') } },
  async run(context) {
    const { client, print, args } = context
    const found = await explainFailure(await client(), args.text.join(' ').trim())
    if (print.form !== 'human') return print.one(found, whyView, { quietOutput: found.call?.request_id ?? '' })
    await printFailure(context, found)
  },
})

async function printFailure(context: CommandEnvironment, { call, code, route, advice }: ExplainedFailure) {
  const { print, money, language, terminal } = context
  const head = (title: Words) => {
    print.say()
    print.say(asUntranslatedText(print.paint(title[language], 'strong')))
  }
  if (call) {
    await printTrace(context, call)
    head(words('Price'))
    for (const line of buildPriceLines(call, await money(), { language, width: terminal.columns }))
      print.say(asUntranslatedText(line))
  } else print.say(fillTemplate(NO_CALL, { code: code ?? '', error: errors[code as keyof typeof errors] }))
  if (route) {
    head(fillTemplate(words('Route of {model} in group {group} now'), { model: route.model, group: route.group }))
    await printRoute(context, route)
  }
  head(words('What to do'))
  for (const each of advice) {
    print.say(each.text)
    if (each.command) print.say(asUntranslatedText(`  ${each.command}`))
  }
}

const NO_CALL = words('Error {code}: {error}')
