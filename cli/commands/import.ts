// `weir import`: transfers the data of another product into this Weir.
import { IMPORT_PRODUCTS, type ImportProduct } from '../../core/imports/arrival.ts'
import { words, type Words } from '../../core/errors.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { Refusal, UsageError } from '../failure.ts'
import { groupImportLines, importCountView, importLineView, importView, type ImportResult } from '../nouns/import.ts'
import type { ImportStep } from '../import-run.ts'
import { asData, colorizeTexts } from '../language.ts'
import { withProgress } from '../progress.ts'

export const importFrom = command({
  name: 'import',
  output: { view: importView, many: false },
  summary: words(
    'Bring users, keys, channels, prices and history of another gateway into this Weir',
    '将其他网关的用户、密钥、渠道、价格与历史导入此 Weir',
  ),
  details: words(
    'weir import new-api ./one-api.db --dry-run\nweir import one-api mysql://user:password@host:3306/oneapi\nweir import new-api postgres://user:password@host:5432/newapi --server https://weir.example.org\n\n' +
      'The source is only read, also while its program runs. Passwords, API keys and access tokens go on working, balances become the first entry of each account, and the log comes as history. Whatever is changed or left is told row by row; running it again brings only what is new.',
    'weir import new-api ./one-api.db --dry-run\nweir import one-api mysql://user:password@host:3306/oneapi\nweir import new-api postgres://user:password@host:5432/newapi --server https://weir.example.org\n\n' +
      '来源只会被读取，其程序运行时也可导入。密码、API 密钥与访问令牌继续可用，余额成为各账户的第一笔记录，日志作为历史导入。所有更改或未导入的内容逐行说明；再次运行只导入新增内容。',
  ),
  arguments: {
    product: {
      spec: '<product>',
      help: words('new-api, one-api, one-hub, litellm or bifrost', 'new-api、one-api、one-hub、litellm 或 bifrost'),
    },
    source: {
      spec: '<source>',
      help: words(
        'a SQLite file, postgres://… or mysql://…, of LiteLLM its config.yaml or postgres://…, of Bifrost its config.json; - reads the address from standard input',
        'SQLite 文件、postgres://… 或 mysql://…，LiteLLM 则为其 config.yaml 或 postgres://…，Bifrost 为其 config.json；- 表示从标准输入读取地址',
      ),
    },
  },
  options: {
    dryRun: {
      flag: '--dry-run',
      help: words('show the result for each row, and write nothing', '只说明每一行的结果，不写入任何内容'),
    },
  },
  async run(context) {
    const { args, client, options, print, readInput } = context
    const product = parseProduct(args.product)
    const place = args.source === '-' ? (await readInput()).trim() : args.source
    const [{ openImportSource }, { importSource }] = await Promise.all([
      import('../../core/adapters/imports/index.ts'),
      import('../import-run.ts'),
    ])
    const weir = await client()
    const source = await openImportSource(place)
    // A signal ends the import between two batches, and the next run continues there.
    const signal = context.interrupted()
    try {
      const result = await withProgress(context, (report) =>
        importSource(weir, source, {
          product,
          dry_run: options.dryRun === true,
          moved(step, what, done, total) {
            if (signal.aborted) throw new Refusal(STOPPED, 'import.stopped')
            report({ step: STEPS[step], what, done, total })
          },
        }),
      )
      await printImport(result, context)
    } finally {
      await source.close()
    }
    if (options.dryRun) print.warn(words('Nothing was written: this was a dry run.', '试运行：未写入任何内容。'))
  },
})

function parseProduct(typed: string): ImportProduct {
  const product = IMPORT_PRODUCTS.find((each) => each === typed)
  if (product) return product
  const list = IMPORT_PRODUCTS.join(', ')
  throw new UsageError(
    words(`Sources that can be imported are ${list}, not "${typed}".`, `可导入的产品为 ${list}，而不是 "${typed}"。`),
  )
}

const STEPS: Readonly<Record<ImportStep, Words>> = {
  read: words('Reading', '正在读取'),
  bring: words('Importing', '正在导入'),
  history: words('Importing history', '正在导入历史'),
}
const STOPPED = words('Stopped: run it again to go on.', '已停止：再次运行即可继续。')

/** Lines of the source's version, and of what each model costs. */
const ABOUT_PRICES: ReadonlySet<string> = new Set(['source', 'price'])

async function printImport(result: ImportResult, { print, language }: CommandEnvironment): Promise<void> {
  if (print.form !== 'human') return print.one(result, importView, { bare: '' })
  await print.list(result.counts, importCountView, { empty: words('Nothing was there.', '没有内容。') })
  const prices = result.lines.filter(({ kind }) => ABOUT_PRICES.has(kind))
  const changes = result.lines.filter(({ kind }) => !ABOUT_PRICES.has(kind))
  for (const [heading, lines] of [
    [words('Not as it was', '与原来不同'), changes],
    [words('Prices there and here', '原价格与此处价格'), prices],
  ] as const) {
    if (lines.length === 0) continue
    print.say()
    print.say(colorizeTexts(print, heading, 'strong'))
    await print.list(groupImportLines(lines, language), importLineView, { empty: asData('') })
  }
}
