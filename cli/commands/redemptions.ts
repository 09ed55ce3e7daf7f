// `weir redemptions …`: single-use codes that add quota.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { isCodeExpired, REDEMPTION_STATUS, type RedemptionCode } from '../../core/redemptions/redemption.ts'
import { NEVER_EXPIRES } from '../../core/tokens/token.ts'
import { formatDollars, listChangedAmounts } from '../changed-amounts.ts'
import { command, group, type Command, LIST_COMMAND } from '../command.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { UsageError } from '../failure.ts'
import {
  parseExpiryFlag,
  convertToUnits,
  parseFlagValues,
  buildQuestion,
  toFlags,
  parseWholeNumber,
  readValueOrInput,
} from '../input/flags.ts'
import { formatCsvText } from '../output/output.ts'
import { buildAmountQuestion, refuseEmptyText, findFlagProblem } from '../nouns/questions.ts'
import {
  buildCodeQuestions,
  maskRedemptionCode,
  findRequiredRedemption,
  newCodesView,
  redeemedView,
  redemptionCodeView,
} from '../nouns/redemption.ts'
import { parseRequestedRows, buildPageOptions, printRequestedRows, type PageQuery } from '../output/paging.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'
import { listPlainNames, toPlainRow } from '../output/view.ts'
import { redemptionForm } from '../input/forms.built.ts'

const DEFAULT_LIMIT = 50

const list = command({
  endpoint: 'redemptions.search',
  ...LIST_COMMAND,
  output: { view: redemptionCodeView, many: true },
  summary: words('List redemption codes, newest first'),
  options: {
    search: {
      flag: '--search <text>',
      help: words('an id, how the name begins, or a part of the remark'),
    },
    codes: { flag: '--codes', help: words('show whole codes') },
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const { redemptions } = await client()
    const fetch = async (query: PageQuery) => redemptions.search({ ...query, keyword: options.search ?? '' })
    await printRequestedRows(print, range, fetch, redemptionCodeView, {
      empty: words('No codes: `weir redemptions create` makes some.'),
      build: (items) => (options.codes ? items : items.map(maskRedemptionCode)),
    })
  },
})

const questions: readonly FormQuestion[] = [
  buildQuestion(redemptionForm, 'name', { check: refuseEmptyText }),
  buildAmountQuestion(buildQuestion(redemptionForm, 'quota'), '--quota'),
  buildQuestion(redemptionForm, 'count', {
    fallback: '1',
    check: (text) => findFlagProblem(() => parseWholeNumber('--count', text)),
  }),
]

/** Fields of the form from flags; `--expires never` is the 0 of codes. */
function parseCodeFlags({ expired_time, ...flags }: { expired_time?: string } & object): Record<string, unknown> {
  const at = expired_time === undefined ? undefined : parseExpiryFlag('--expires', expired_time)
  return {
    ...parseFlagValues(redemptionForm, flags, ['expired_time']),
    ...(at === undefined ? {} : { expired_time: at === NEVER_EXPIRES ? 0 : at }),
  }
}

const create = command({
  endpoint: 'redemptions.create',
  name: 'create',
  aliases: ['add'],
  output: { view: newCodesView, many: true },
  summary: words('Make codes and print them; on a terminal without --name it asks'),
  details: words('weir redemptions create --name spring --quota 5usd --count 10 --quiet prints the codes alone'),
  options: toFlags(redemptionForm),
  async run({ client, money, print, ask, options }) {
    const answers = options.name === undefined ? await ask.form(words('New codes'), [...questions], '--name') : {}
    const form = parseCodeFlags({ ...options, ...answers })
    const weir = await client()
    const { codes } = await weir.redemptions.create(await convertToUnits(form, money))
    const amount = formatDollars(codes[0]?.quota ?? 0, await money())
    print.say(fillTemplate(MADE, { count: codes.length, amount }))
    await print.list(codes, newCodesView)
  },
})

const CHANGED = words('Changed code {id} "{name}".{amounts}')
const MADE = words('Created codes ({count}, each worth {amount}):')

const edit = command({
  endpoint: 'redemptions.update',
  name: 'edit',
  output: { view: redemptionCodeView, many: false },
  summary: words('Change name, worth and expiry of an unused code, or the remark of any; without flags it asks'),
  details: words('weir redemptions edit 7 --expires 30d, or --expires never'),
  arguments: { code: { spec: '<code>', help: words('id or name of the code') } },
  options: toFlags(redemptionForm, ['count']),
  async run({ client, money, print, ask, args, options }) {
    let change = parseCodeFlags(options)
    const usesForm = Object.keys(change).length === 0
    if (usesForm && !ask.possible)
      throw new UsageError(words('Nothing to change: give --name, --quota, --expires or --remark.'))
    const weir = await client()
    const before = await findRequiredRedemption(weir, args.code)
    const { id, version } = before
    const title = fillTemplate(words('Code {id} {name}'), { id, name: before.name })
    if (usesForm) change = parseCodeFlags(await ask.fields(title, buildCodeQuestions(before, await money()), '--name'))
    const after = await weir.redemptions.update({ id, version, ...(await convertToUnits(change, money)) })
    await print.done(maskRedemptionCode(after), redemptionCodeView, {
      human: fillTemplate(CHANGED, {
        id,
        name: after.name,
        amounts: listChangedAmounts(redemptionForm, before, after, await money()),
      }),
      quietOutput: String(id),
    })
  },
})

const show = command({
  endpoint: 'redemptions.get',
  name: 'show',
  readOnly: true,
  output: { view: redemptionCodeView, many: false },
  summary: words('Show a code: its worth, its state, and who redeemed it'),
  arguments: { code: { spec: '<code>', help: words('id or name of the code') } },
  options: { codes: { flag: '--codes', help: words('show whole codes') } },
  async run({ client, print, args, options }) {
    const found = await findRequiredRedemption(await client(), args.code)
    await print.one(options.codes ? found : maskRedemptionCode(found), redemptionCodeView, {
      quietOutput: String(found.id),
    })
  },
})

const SWITCHES = {
  enable: {
    summary: words('Enable a disabled code: it can be redeemed again'),
    done: words('Code {id} "{name}" is enabled.'),
    status: REDEMPTION_STATUS.unused,
  },
  disable: {
    summary: words('Disable an unused code: it cannot be redeemed until it is enabled'),
    done: words('Code {id} "{name}" is disabled.'),
    status: REDEMPTION_STATUS.disabled,
  },
} as const

const switches = Object.entries(SWITCHES).map(([name, { summary, done, status }]): Command =>
  command({
    endpoint: 'redemptions.update',
    name,
    output: { view: redemptionCodeView, many: false },
    summary,
    arguments: { code: { spec: '<code>', help: words('id or name of the code') } },
    async run({ client, print, args }) {
      const weir = await client()
      const { id, version } = await findRequiredRedemption(weir, args.code)
      const changed = await weir.redemptions.update({ id, version, status, status_only: 'true' })
      await print.done(maskRedemptionCode(changed), redemptionCodeView, {
        human: fillTemplate(done, { id, name: changed.name }),
        quietOutput: String(id),
      })
    },
  }),
)

const redeem = command({
  endpoint: 'redemptions.redeem',
  name: 'redeem',
  output: { view: redeemedView, many: false },
  summary: words('Redeem a code: its worth is added to your own balance'),
  arguments: { code: { spec: '<code>', help: words('the code itself; - reads it from standard input') } },
  async run({ client, money, print, args, readInput }) {
    const key = ((await readValueOrInput(args.code, readInput)) ?? '').trim()
    const weir = await client()
    const { quota: before } = await weir.users.self()
    const quota = await weir.redemptions.redeem({ key })
    const { quota: after } = await weir.users.self()
    const shown = await money()
    await print.done({ quota, before, after }, redeemedView, {
      human: fillTemplate(REDEEMED, {
        amount: formatDollars(quota, shown),
        from: formatDollars(before, shown),
        to: formatDollars(after, shown),
      }),
      quietOutput: String(quota),
    })
  },
})

const REDEEMED = words('Added {amount}: the balance was {from} and is {to}.')

const remove = command({
  endpoint: 'redemptions.delete',
  name: 'rm',
  aliases: ['delete'],
  output: { view: redemptionCodeView, many: false },
  summary: words('Delete a code: it can no longer be redeemed'),
  arguments: { code: { spec: '<code>', help: words('id or name of the code') } },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await findRequiredRedemption(weir, args.code)
    const { id, name } = found
    await sure(fillTemplate(words('Delete code {id} "{name}"?'), { id, name }))
    await weir.redemptions.delete({ id })
    await print.done(maskRedemptionCode(found), redemptionCodeView, {
      human: fillTemplate(words('Deleted code {id} "{name}".'), { id, name }),
      quietOutput: String(id),
    })
  },
})

const exported = command({
  endpoint: 'redemptions.search',
  name: 'export',
  readOnly: true,
  summary: words('Export all codes as CSV, newest first: weir redemptions export > codes.csv'),
  options: {
    search: {
      flag: '--search <text>',
      help: words('an id, how the name begins, or a part of the remark'),
    },
    unused: { flag: '--unused', help: words('only those that can be redeemed') },
  },
  async run({ client, money, print, options }) {
    const weir = await client()
    const shown = await money()
    async function* readCodes() {
      for await (const codes of allCodes(weir, options.search ?? ''))
        yield codes.filter((code) => !options.unused || isRedeemable(code))
    }
    if (print.json) {
      const all: RedemptionCode[] = []
      for await (const codes of readCodes()) all.push(...codes)
      return print.list(all, redemptionCodeView, { empty: words('No codes.') })
    }
    async function* pieces() {
      let isFirst = true
      for await (const codes of readCodes()) {
        const rows = codes.map((code) => toPlainRow(redemptionCodeView, code, shown))
        yield await formatCsvText(listPlainNames(redemptionCodeView), rows, isFirst)
        isFirst = false
      }
    }
    await print.file(pieces())
  },
})

const isRedeemable = (code: RedemptionCode) =>
  code.status === REDEMPTION_STATUS.unused && !isCodeExpired(code, Date.now() / 1000)

async function* allCodes(weir: WeirClient, keyword: string) {
  for (let cursor = '', hasMore = true; hasMore; hasMore = cursor !== '') {
    const { items, next_cursor } = await weir.redemptions.search({ keyword, page_size: 100, cursor })
    yield items
    cursor = next_cursor
  }
}

export const redemptionsCommand = group({
  name: 'redemptions',
  summary: words('Redemption codes: each adds quota once'),
  commands: [list, show, create, edit, ...switches, redeem, remove, exported],
})
