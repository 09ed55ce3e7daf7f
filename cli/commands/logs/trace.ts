// `weir logs trace` and `explain`: the path of one call, and its charge.
import { parseCallDetail, type RefusedCallDetail } from '../../../core/calls/detail.ts'
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate } from '../../../core/errors.ts'
import type { ChargeExplanation } from '../../../core/logs/explanation.ts'
import { translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { buildBillLines } from '../../output/bill.ts'
import { command, type CommandEnvironment } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { formatQuotaAmount, formatLocalTime } from '../../output/format.ts'
import { asUntranslatedText } from '../../language.ts'
import { findRequiredLastFailure } from '../../nouns/failed-call.ts'
import { words } from '../../texts.ts'
import { count, money, ms, number, object, text, time, type OutputView } from '../../output/view.ts'
import { formatReasonLines, formatWaterfallLines } from '../../output/waterfall.ts'

const request = {
  spec: '<request id>',
  help: words('id of the request, from its x-request-id header or the log'),
} as const

/** Explains the charge of a request, or one of its several charges. */
export const explainCharge = (weir: WeirClient, request_id: string, receipt_id?: string): Promise<ChargeExplanation> =>
  weir.logs.explain({ request_id, ...(receipt_id === undefined ? {} : { receipt_id }) })

const totalMs = ({ attempts, log }: ChargeExplanation): number | null =>
  attempts.length > 0
    ? Math.max(...attempts.map(({ at, ms }) => (at ?? 0) + (ms ?? 0)))
    : log && log.use_time > 0
      ? log.use_time * 1000
      : null

export const findError = ({ log }: ChargeExplanation): string | null =>
  log?.type === LOG_ROW_TYPE.error ? log.content : null

const callView = {
  request_id: text(words('REQUEST'), 1, (bill: ChargeExplanation) => bill.request_id),
  time: time(words('TIME'), 1, ({ log, entry }) => log?.created_at ?? entry?.created_at),
  user: text(words('USER'), 1, ({ log }) => log?.username),
  token: text(words('TOKEN'), 1, ({ log }) => log?.token_name || null),
  group: text(words('GROUP'), 1, ({ log }) => log?.group || null),
  model: text(words('MODEL'), 1, ({ log }) => log?.model_name || null),
  asked_model: text(words('ASKED FOR'), 1, (bill) => bill.asked_model),
  quota: money(words('CHARGE'), 1, ({ quota }) => quota),
} satisfies OutputView<ChargeExplanation>

export const traceView: OutputView<ChargeExplanation> = {
  ...callView,
  ms: ms(words('TOOK'), 1, totalMs),
  first_ms: ms(words('FIRST BYTE'), 1, ({ log }) => parseCallDetail(log?.other ?? '').frt || null),
  error: text(words('ERROR'), 1, findError),
  refused_calls: count(
    words('REFUSED CALLS'),
    1,
    ({ log }) => parseCallDetail(log?.other ?? '').refused?.calls ?? null,
  ),
  attempts: object(words('TRIES'), ({ attempts }) => attempts),
}

export const traceCommand = command({
  endpoint: 'logs.explain',
  name: 'trace',
  readOnly: true,
  output: { view: traceView, many: false },
  summary: words('Show the tries of a call as a waterfall: channel, provider model, status, how long each took'),
  details: words('░ waited for the provider, █ it answered.'),
  arguments: { request: { ...request, spec: '[request id]' } },
  options: { last: { flag: '--last', help: words('the last call that failed, instead of a request id') } },
  async run(context) {
    const { client, print, args, options } = context
    if ((args.request === undefined) === !options.last) throw new UsageError(ID_OR_LAST)
    const weir = await client()
    const call = await explainCharge(weir, args.request ?? (await findRequiredLastFailure(weir)))
    if (print.form !== 'human') return print.one(call, traceView, { quietOutput: call.request_id })
    await printTrace(context, call)
  },
})

const ID_OR_LAST = words('Give a request id or --last, one of them.')

/** Prints a call and its attempts, for people. */
export async function printTrace(
  { print, money, language, terminal }: Pick<CommandEnvironment, 'print' | 'money' | 'language' | 'terminal'>,
  call: ChargeExplanation,
): Promise<void> {
  const { log, attempts } = call
  print.say(asUntranslatedText(print.paint(call.request_id, 'strong')))
  const who = [log?.username, log?.token_name, log?.group].filter(Boolean).join(' / ')
  const when = formatLocalTime(log?.created_at ?? call.entry?.created_at ?? 0)
  print.say(
    asUntranslatedText(
      [when, log?.model_name, who, formatQuotaAmount(call.quota, await money())].filter(Boolean).join('  '),
    ),
  )
  const error = findError(call)
  if (error !== null) print.say(asUntranslatedText(print.paint(translateStoredFailure(error, language), 'bad')))
  print.say()
  const { refused } = parseCallDetail(log?.other ?? '')
  if (refused) return print.say(refusedWords(refused))
  if (attempts.length === 0) return print.say(UNTOLD)
  for (const line of formatWaterfallLines(attempts, { language, width: terminal.columns, paint: print.paint }))
    print.say(asUntranslatedText(line))
  const reasons = formatReasonLines(attempts, language)
  if (reasons.length > 0) print.say()
  for (const line of reasons) print.say(asUntranslatedText(line))
}

/** Describes the calls that share a row. */
const refusedWords = ({ reason, calls }: RefusedCallDetail) =>
  fillTemplate(
    words(
      'Weir refused the call before a provider was asked ({reason}). Calls of this minute in the same row: {calls}.',
    ),
    { reason, calls },
  )

const UNTOLD = words('The row does not contain the attempts: it is from an earlier version, or you may not see them.')

const billView: OutputView<ChargeExplanation> = {
  ...callView,
  exact: text(words('EXACT'), 1, ({ exact }) => exact),
  rounding: text(words('ROUNDING'), 1, ({ rounding }) => rounding),
  group_ratio: number(words('GROUP RATIO'), 1, (bill) => bill.group_ratio),
  price_version: text(words('PRICE VERSION'), 1, (bill) => bill.price_version),
  cache_tokens: count(words('CACHED TOKENS'), 1, (bill) => bill.cache_tokens),
  balance_before: money(words('BALANCE BEFORE'), 1, (bill) => bill.balance_before),
  balance_after: money(words('BALANCE AFTER'), 1, (bill) => bill.balance_after),
  cost: money(words('COST'), 1, ({ entry }) => entry?.cost),
  entry_id: count(words('LEDGER ENTRY'), 1, ({ entry }) => entry?.id),
  receipt_id: text(words('RECEIPT'), 1, ({ entry }) => entry?.hold_id),
  lines: object(words('LINES'), ({ lines }) => lines),
  channels: object(words('CHANNELS'), ({ channels }) => channels),
  attempts: object(words('TRIES'), ({ attempts }) => attempts),
}

export const explainCommand = command({
  endpoint: 'logs.explain',
  name: 'explain',
  readOnly: true,
  output: { view: billView, many: false },
  summary: words('Explain the cost of a call: each line of its charge, the rounding, the balance before and after'),
  arguments: { request },
  options: {
    receipt: {
      flag: '--receipt <id>',
      help: words('which charge, if the request has several (turns of a session); default: the last'),
    },
  },
  async run({ client, money, print, args, options, language, terminal }) {
    const bill = await explainCharge(await client(), args.request, options.receipt)
    if (print.form !== 'human') return print.one(bill, billView, { quietOutput: String(bill.quota) })
    print.say(asUntranslatedText(buildBillLines(bill, await money(), { language, width: terminal.columns }).join('\n')))
  },
})
