// `weir copy`: the whole installation into another database.
import { fillTemplate } from '../../core/errors.ts'
import { command } from '../command.ts'
import { GatewayRefusal } from '../failure.ts'
import { refuseRunning, refuseServer } from '../connection/here.ts'
import { requireFlags } from '../input/flags.ts'
import { asUntranslatedText, concatTexts, colorizeTexts } from '../language.ts'
import { formatCopyCounts, databaseCopyView, LEDGER_VERIFICATION_FAILED } from '../nouns/copy.ts'
import { runWithProgress } from '../output/progress.ts'
import { words } from '../texts.ts'

const STEPS = { copy: words('Copying'), check: words('Reading back') }

export const copyCommand = command({
  name: 'copy',
  here: true,
  output: { view: databaseCopyView, many: false },
  summary: words('Copy everything into another database: from SQLite to PostgreSQL, or back'),
  details: words(
    'Weir must not be running, and the target must be empty. Every row is read back and compared, and the ledger is verified in the copy. If the command is interrupted, a partial copy cannot be served; the same command resumes it. The source database is not changed.\n\nCalls in progress end as in a crash and are not charged. Keys, receipts and sessions stay valid in the copy, which needs the same master secret: a target folder gets the key file.',
  ),
  options: {
    to: {
      flag: '--to <place>',
      help: words('a postgres:// address, or a data folder for SQLite'),
    },
  },
  async run(context) {
    const { config, options, print, server } = context
    refuseServer('copy', server)
    requireFlags({ '--to': options.to })
    await refuseRunning(context)
    const { copyDatabase } = await import('../../core/adapters/maintenance.ts')
    const made = await runWithProgress(context, (report) =>
      copyDatabase(config, options.to ?? '', ({ table, step, ...part }) =>
        report({ step: STEPS[step], what: table, ...part }),
      ),
    )
    const start = made.kind === 'postgres' ? '--database' : '--data'
    await print.done(made, databaseCopyView, {
      human: concatTexts([
        colorizeTexts(print, fillTemplate(COPIED, { place: asUntranslatedText(made.place) }), 'good'),
        fillTemplate(CAME, { came: formatCopyCounts(made) }),
        fillTemplate(NEXT, { start: asUntranslatedText(`weir serve ${start} ${options.to}`) }),
      ]),
      quietOutput: made.place,
    })
    if (!made.ledger.ok) throw new GatewayRefusal(LEDGER_VERIFICATION_FAILED, 'ledger.wrong')
  },
})

const COPIED = words('Copied to {place}.')
const CAME = words('  Checked  {came}')
const NEXT = words('  Next     {start}')
