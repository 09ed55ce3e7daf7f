// `weir migrate`: lists or runs the migrations of the database.
import type { SchemaStepState } from '../../core/adapters/maintenance.ts'
import { fillTemplate } from '../../core/errors.ts'
import { command } from '../command.ts'
import { refuseRunning, refuseServer } from '../connection/here.ts'
import { asUntranslatedText, concatTexts, colorizeTexts, type BilingualText } from '../language.ts'
import { words } from '../texts.ts'
import { count, list, text, type OutputView } from '../output/view.ts'

const stepsView: OutputView<SchemaStepState> = {
  place: text(words('PLACE'), 1, ({ place }) => place),
  applied: count(words('STEPS TAKEN'), 1, ({ applied }) => applied),
  missing: list(words('MISSING'), 1, ({ missing }) => missing),
  newer: list(words('NEWER'), 1, ({ newer }) => newer),
}

export const migrateCommand = command({
  name: 'migrate',
  here: true,
  output: { view: stepsView, many: false },
  summary: words('Migrate the database to this version; with --check only show the steps'),
  details: words(
    'Weir migrates automatically when it starts. All steps run in one transaction. They only add, so the previous version can run at the same time and you can return to it; a step that removes something blocks older versions. --check writes nothing and works while Weir runs.',
  ),
  failsWhen: words('with --check: steps are missing, or the database is of a newer version'),
  options: { check: { flag: '--check', help: words('only look') } },
  async run(context) {
    const { config, failed, options, print, server } = context
    refuseServer('migrate', server)
    const { readSchemaSteps: schemaSteps, applySchemaSteps: takeSteps } =
      await import('../../core/adapters/maintenance.ts')
    if (!options.check) await refuseRunning(context)
    const steps = options.check ? await schemaSteps(config) : await takeSteps(config)
    const { missing, newer } = steps
    const isFine = !options.check || (missing.length === 0 && newer.length === 0)
    if (!isFine) failed()
    await print.done(steps, stepsView, {
      human: colorizeTexts(print, report(steps, options.check === true), isFine ? 'good' : 'bad'),
      quietOutput: missing.join('\n'),
    })
  },
})

function report({ missing, newer, applied }: SchemaStepState, isCheck: boolean): BilingualText {
  if (newer.length > 0) return concatTexts([NEWER, ...newer.map(line)])
  if (missing.length === 0) return fillTemplate(UP_TO_DATE, { applied })
  return concatTexts([isCheck ? MISSING : TAKEN, ...missing.map(line)])
}

const line = (name: string): BilingualText => asUntranslatedText(`  ${name}`)
const UP_TO_DATE = words('The database is up to date: {applied} steps.')
const MISSING = words('These steps are missing:')
const TAKEN = words('These steps were taken:')
const NEWER = words(
  'A newer version of Weir has migrated the database with the following steps. This version can start if they only add:',
)
