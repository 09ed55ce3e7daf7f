// `weir import`: transfers the data of another product into this Weir.
import { IMPORT_PRODUCTS, type ImportProduct } from '../../core/imports/imported-rows.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { GatewayRefusal, UsageError } from '../failure.ts'
import { groupImportLines, importCountView, importLineView, importView, type ImportResult } from '../nouns/import.ts'
import type { ImportStep } from '../import-run.ts'
import { asUntranslatedText, colorizeTexts } from '../language.ts'
import { runWithProgress } from '../output/progress.ts'
import { words } from '../texts.ts'

export const importFromCommand = command({
  endpoint: 'imports.bring',
  name: 'import',
  output: { view: importView, many: false },
  summary: words('Bring users, keys, channels, prices and history of another gateway into this Weir'),
  details: words(
    'weir import new-api ./one-api.db --dry-run\nweir import one-api mysql://user:password@host:3306/oneapi\nweir import new-api postgres://user:password@host:5432/newapi --server https://weir.example.org\n\nThe source is only read, also while its program runs. Passwords, API keys and access tokens stay valid, balances become the first entry of each account, and the log is imported as history. Each changed or skipped row is reported. Running the command again imports only new rows.',
  ),
  arguments: {
    product: {
      spec: '<product>',
      help: words('new-api, one-api, one-hub, litellm or bifrost'),
    },
    source: {
      spec: '<source>',
      help: words(
        'a SQLite file, postgres://… or mysql://…, of LiteLLM its config.yaml or postgres://…, of Bifrost its config.json; - reads the address from standard input',
      ),
    },
  },
  options: {
    dryRun: {
      flag: '--dry-run',
      help: words('show the result for each row, and write nothing'),
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
      const result = await runWithProgress(context, (report) =>
        importSource(weir, source, {
          product,
          dry_run: options.dryRun === true,
          moved(step, what, done, total) {
            if (signal.aborted) throw new GatewayRefusal(STOPPED, 'import.stopped')
            report({ step: STEPS[step], what, done, total })
          },
        }),
      )
      await printImport(result, context)
    } finally {
      await source.close()
    }
    if (options.dryRun) print.warn(words('Nothing was written: this was a dry run.'))
  },
})

function parseProduct(typed: string): ImportProduct {
  const product = IMPORT_PRODUCTS.find((each) => each === typed)
  if (product) return product
  const list = IMPORT_PRODUCTS.join(', ')
  throw new UsageError(fillTemplate(words('Sources that can be imported are {list}, not "{typed}".'), { list, typed }))
}

const STEPS: Readonly<Record<ImportStep, Words>> = {
  read: words('Reading'),
  bring: words('Importing'),
  history: words('Importing history'),
}
const STOPPED = words('Stopped: run it again to continue.')

/** Lines of the source's version, and of what each model costs. */
const ABOUT_PRICES: ReadonlySet<string> = new Set(['source', 'price'])

async function printImport(result: ImportResult, { print, language }: CommandEnvironment): Promise<void> {
  if (print.form !== 'human') return print.one(result, importView, { quietOutput: '' })
  await print.list(result.counts, importCountView, { empty: words('The source has nothing to import.') })
  const prices = result.lines.filter(({ kind }) => ABOUT_PRICES.has(kind))
  const changes = result.lines.filter(({ kind }) => !ABOUT_PRICES.has(kind))
  for (const [heading, lines] of [
    [words('Changed in the import'), changes],
    [words('Prices there and here'), prices],
  ] as const) {
    if (lines.length === 0) continue
    print.say()
    print.say(colorizeTexts(print, heading, 'strong'))
    await print.list(groupImportLines(lines, language), importLineView, { empty: asUntranslatedText('') })
  }
}
