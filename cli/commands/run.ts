// `weir run -- CMD`: runs one program with a temporary token, which ends with it.
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import { fillTemplate } from '../../core/errors.ts'
import { parseQuotaFlag } from '../input/amount.ts'
import { parseExpiryFlag } from '../input/flags.ts'
import type { RunToken } from '../connection/temporary-token.ts'
import {
  getSignalExitCode,
  findLentHome,
  makeRunToken,
  runChild,
  formatSpentAmount,
  spentAmountView,
  forwardSignals,
} from '../connection/temporary-token.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { getRunningAddress } from '../connection/address.ts'
import { formatLocalTime } from '../output/format.ts'
import { asUntranslatedText } from '../language.ts'
import { listModelNames } from '../connection/token-key.ts'
import { findAgent, needsModelNames, buildCommandConfig } from '../../core/tokens/clients.ts'
import { needTeamId } from '../nouns/team.ts'
import { listServedModels, warnUnknownModel } from '../nouns/names.ts'
import { words } from '../texts.ts'
import { toPlainRow } from '../output/view.ts'

const DEFAULT_SPAN = '8h'
/** Maximum wait for a server that does not answer, in ms. */
const PATIENCE_MS = 10_000

export const runCommand = command({
  name: 'run',
  alone: true,
  summary: words('Run a program with a temporary token: its cost is shown at the end, and the token is deleted'),
  details: words(
    'claude, codex, gemini and opencode are configured by their own variables and files, any other program by OPENAI_*, ANTHROPIC_* and GEMINI_* variables. The exit code is that of the program.\n  weir run --budget 2usd -- claude\nWhat it cost is written to standard error, with --json as JSON. The token is deleted at Ctrl+C, SIGTERM and SIGHUP too; only where weir itself is killed with SIGKILL it stays, until it expires.',
  ),
  arguments: {
    command: {
      spec: '<command...>',
      help: words('the program and its arguments, behind `--`'),
    },
  },
  options: {
    budget: {
      flag: '--budget <amount>',
      help: words('dollars like 2usd or quota units it may spend'),
    },
    expires: {
      flag: '--expires <when>',
      help: fillTemplate(words('expiry of its token if it is not deleted: a span or a date (default: {defaultSpan})'), {
        defaultSpan: DEFAULT_SPAN,
      }),
    },
    model: { flag: '--model <name>', help: words('the model it begins with') },
    team: {
      flag: '--team <team>',
      help: words('id or name of the team that pays (default: your own account)'),
    },
  },
  async run(context) {
    const { args, options, env, money, print, terminal, exit } = context
    const budget = options.budget === undefined ? undefined : parseQuotaFlag('--budget', options.budget)
    const expires = parseExpiryFlag('--expires', options.expires ?? DEFAULT_SPAN)
    const connection = await context.connection()
    const address = await getRunningAddress(connection)
    const weir = connection.client
    if (options.model !== undefined)
      warnUnknownModel(print, options.model, await listServedModels(weir).catch(() => []))
    const team_id = options.team === undefined ? 0 : await needTeamId(weir, options.team)
    const [program = '', ...rest] = args.command
    // From here on a signal ends the process only after the token is deleted.
    const signals = forwardSignals()
    try {
      const label = `run ${path.basename(program)} on ${hostname()}`
      const token = await makeRunToken(weir, { label, budget: budget?.(await money()), expires, team_id })
      const folder = await mkdtemp(path.join(tmpdir(), 'weir-run-'))
      try {
        const models = needsModelNames(findAgent(program)) ? await listModelNames(address, token.key) : []
        const pointed = buildCommandConfig(program, { key: token.key, address, model: options.model, models })
        const childEnv = {
          ...omitVariables(env, pointed.without),
          ...pointed.variables,
          ...(await findLentHome(pointed, env, folder)),
        }
        const stopped = signals.first()
        const started = [program, ...(pointed.args ?? []), ...rest]
        const runProgram = () => runChild(started, { env: childEnv, terminal: terminal.shared, signals })
        exit(stopped ? getSignalExitCode(stopped) : await runProgram())
      } finally {
        await settle(context, token)
        await rm(folder, { recursive: true, force: true })
      }
    } finally {
      signals.release()
    }
  },
})

/** Reports the cost and deletes the token, even if the report fails. */
async function settle({ print, money }: CommandEnvironment, token: RunToken): Promise<void> {
  const spent = await withTimeout(token.spent()).catch(() => undefined)
  const revoked = await withTimeout(token.revoke()).then(
    () => true,
    () => false,
  )
  if (spent) {
    const shown = await money()
    print.warn(
      print.json
        ? asUntranslatedText(JSON.stringify(toPlainRow(spentAmountView, spent, shown)))
        : formatSpentAmount(spent, shown),
    )
  }
  if (!revoked) print.warn(TOKEN_REMAINS(token))
}

const TOKEN_REMAINS = ({ name, expires }: RunToken) =>
  fillTemplate(
    words('Its token "{name}" could not be deleted: the gateway does not answer. It expires at {expires}.'),
    { name, expires: formatLocalTime(expires) },
  )

const withTimeout = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer')), PATIENCE_MS).unref()),
  ])

const omitVariables = (env: CommandEnvironment['env'], names: readonly string[] = []) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
