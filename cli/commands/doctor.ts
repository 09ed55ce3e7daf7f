// `weir doctor`: findings that are good, doubtful or broken, with a remedy for each.
import path from 'node:path'
import { existsSync } from 'node:fs'
import { secretVariable } from '../../core/config.ts'
import { fillTemplate } from '../../core/errors.ts'
import { command, type CommandEnvironment } from '../command.ts'
import type { DoctorFinding } from '../doctor/check.ts'
import { DOCTOR_CHECKS, buildFailedFinding, buildGoodFinding, buildWarningFinding } from '../doctor/check.ts'
import { checkContexts } from '../doctor/contexts.ts'
import { checkGateway } from '../doctor/gateway.ts'
import { checkHostMachine } from '../doctor/host.ts'
import { combineAfterRepairs, getFindingName, requireAnswers, repairAll } from '../doctor/repair.ts'
import { toCliFailure } from '../failure.ts'
import { asUntranslatedText } from '../language.ts'
import { listenAddressOptions } from '../program.ts'
import { words } from '../texts.ts'
import { flag, text, word, type OutputView } from '../output/view.ts'

const STATES = { ok: words('ok'), warn: words('warn'), fail: words('fail') }
const TONES = { ok: 'good', warn: 'careful', fail: 'bad' } as const

/** Scripts get the sentences in English. */
const findingView: OutputView<DoctorFinding> = {
  check: word(words('CHECK'), 1, DOCTOR_CHECKS, ({ check }) => check, {
    shown: (finding, { language }) => getFindingName(finding)[language],
    tone: () => 'strong',
  }),
  about: text(words('ABOUT'), 0, ({ about }) => about),
  state: word(words('STATE'), 1, STATES, ({ state }) => state, { tone: ({ state }) => TONES[state] }),
  found: text(words('FOUND'), 1, ({ found }) => found.en, {
    flexible: true,
    shown: ({ found }, { language }) => found[language],
  }),
  fix: text(words('WHAT TO DO'), 2, ({ fix }) => fix?.en, {
    below: true,
    shown: ({ fix, repair, fixed }, { language }) => {
      if (fixed === true) return FIXED[language]
      const can = repair && fixed === undefined ? BY_ITSELF[language] : ''
      return `${fix?.[language] ?? ''}${can}`
    },
  }),
  fixable: flag(words('CAN BE FIXED'), 0, ({ repair }) => repair !== undefined),
  repair: text(words('WHAT --FIX DOES'), 0, ({ repair }) => repair?.what.en),
  fixed: flag(words('FIXED'), 0, ({ fixed }) => fixed),
}

const FIXED = words('repaired')
const BY_ITSELF = words(' (or --fix)')
const CHECKING = words('Checking…')

export const doctorCommand = command({
  name: 'doctor',
  output: { view: findingView, many: true },
  summary: words('Check the machine, the database, the settings and the channels, and suggest remedies'),
  details: words(
    '--fix repairs what can be repaired without losing anything, and checks again: it asks before each, or takes --yes.',
  ),
  failsWhen: words('anything fails; what is merely doubtful does not count'),
  options: {
    test: {
      flag: '--test',
      help: words('send a test call through every enabled channel'),
    },
    fix: { flag: '--fix', help: words('repair what can be repaired') },
    yes: { flag: '--yes', help: words('repair without asking') },
    ...listenAddressOptions,
  },
  async run(context) {
    const { print, ask, options } = context
    const yes = options.yes === true
    if (options.fix) requireAnswers(context, yes)
    const look = () => ask.during(CHECKING, examine(context, options.test === true))
    let findings = await look()
    const tried = options.fix ? await repairAll(context, findings, yes) : []
    if (tried.length > 0) findings = combineAfterRepairs(await look(), tried)
    await print.list(findings, findingView)
    if (findings.some(({ state }) => state === 'fail')) context.failed()
  },
})

async function examine(context: CommandEnvironment, test: boolean): Promise<DoctorFinding[]> {
  const { server } = context
  if (server !== undefined)
    return examineGateway(
      context,
      test,
      buildGoodFinding('server', fillTemplate(words('{server} answers'), { server })),
    )
  const { config, env } = context
  const running = await context.findServer()
  const host = [...(await checkHostMachine(config, { serverRuns: running !== null })), ...(await checkContexts(env))]
  const folder = path.resolve(config.data)
  if (config.database === undefined && !existsSync(folder))
    return [...host, buildFailedFinding('set-up', words('not done'), asUntranslatedText('weir init'))]
  // Weir opens a database only after migrating it and verifying its secret.
  const good = [
    config.database === undefined
      ? buildGoodFinding('database', fillTemplate(words('SQLite in {folder}, up to date'), { folder }))
      : buildGoodFinding('database', words('PostgreSQL, up to date')),
    config.secret !== undefined
      ? buildGoodFinding('secret', fillTemplate(words('from {env}'), { env: secretVariable.env }))
      : buildGoodFinding('secret', words('key file in the data folder')),
  ]
  return [...host, ...(await examineGateway(context, test, ...good))]
}

/** `good` are the findings that a working connection proves. */
async function examineGateway(
  context: CommandEnvironment,
  test: boolean,
  ...good: DoctorFinding[]
): Promise<DoctorFinding[]> {
  const { language } = context
  const toSentence = (error: unknown) => asUntranslatedText(toCliFailure(error, language)?.message ?? String(error))
  let client
  try {
    client = await context.client()
    await client.site.status()
  } catch (error) {
    const secret = (error as { code?: unknown } | null)?.code === 'secret'
    return [buildFailedFinding(secret ? 'secret' : (good[0]?.check ?? 'gateway'), toSentence(error))]
  }
  try {
    return [...good, ...(await checkGateway(client, { test, language }))]
  } catch (error) {
    const fix = words('Sign in with an access token of the super administrator: weir login URL')
    return [...good, buildWarningFinding('gateway', toSentence(error), fix)]
  }
}
