// `weir` alone on a terminal: the state in a line, and the next steps.
import { existsSync } from 'node:fs'
import { fillTemplate, joinTexts, type Words } from '../../core/errors.ts'
import { placeFlags } from '../connection/address.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { formatQuotaAmount, type MoneyView } from '../output/format.ts'
import { asUntranslatedText, pickLanguage } from '../language.ts'
import { getGatewayState, CONNECTION_TEXTS, type GatewayState } from './status.ts'
import { words } from '../texts.ts'

interface Step {
  command: string
  what: Words
}

const SHOWN_STEPS = 3

/** Not listed with the commands, because it runs when none is named. */
export const noCommand = command({
  name: 'bare',
  summary: words('The state of Weir, and what to do next'),
  async run(context) {
    const { print, language } = context
    const state = hasFolder(context) ? await getGatewayState(await context.connection()) : undefined
    print.say(state?.setup ? formatGatewayState(state, await context.money()) : nothingLine(state, context.version))
    print.say()
    const steps = suggestNextSteps(state, state?.via === 'remote' ? [] : placeFlags(context.config)).slice(
      0,
      SHOWN_STEPS,
    )
    const width = Math.max(...steps.map((step) => step.command.length))
    for (const step of steps)
      print.say(
        asUntranslatedText(
          `  ${print.paint(step.command.padEnd(width), 'strong')}  ${pickLanguage(step.what, language)}`,
        ),
      )
    print.say()
    print.say(words('All commands: weir --help'))
  },
})

/** True if a server or a database exists. The check creates no folder. */
const hasFolder = ({ server, ...context }: Pick<CommandEnvironment, 'server' | 'config'>) =>
  server !== undefined || context.config.database !== undefined || existsSync(context.config.data)

const nothingLine = (state: GatewayState | undefined, version: string) => {
  const at = state?.via === 'remote' ? ` ${state.address}` : ''
  return fillTemplate(words('Weir {version}{at}: not set up yet.'), { version: state?.version ?? version, at })
}

/** Formats the state in one line. Values that only administrators may see are left out for others. */
export function formatGatewayState({ version, address, via, more }: GatewayState, money: MoneyView): Words {
  const at = address === undefined ? '' : ` ${address}`
  const head = fillTemplate(words('Weir {version}{at}: {via}'), { version, at, via: CONNECTION_TEXTS[via] })
  if (!more) return head
  const { on, channels, broken, rpm, errors } = more
  const charged = formatQuotaAmount(more.charged, money)
  const parts = [
    fillTemplate(words('{on} of {channels} channels on'), { on, channels }),
    ...(broken.length > 0 ? [fillTemplate(words('{broken} broken'), { broken: broken.length })] : []),
    ...(via === 'process' ? [] : [fillTemplate(words('{rpm} calls a minute'), { rpm })]),
    fillTemplate(words('{errors} errors and {charged} charged in the last hour'), { errors, charged }),
  ]
  return joinTexts([head, ...parts], words(', ', { context: 'clause' }))
}

/** Returns the next steps, the most urgent first. `flags` locate this Weir if it is not in the default place. */
export function suggestNextSteps(state: GatewayState | undefined, flags: readonly string[]): Step[] {
  const here = (name: string) => ['weir', name, ...flags].join(' ')
  const init: Step = {
    command: here('init'),
    what: words('set it up: administrator, first channel, first token'),
  }
  const serve: Step = { command: here('serve'), what: words('start the gateway') }
  const add: Step = { command: 'weir channels add', what: words('add a channel') }
  const docs: Step = { command: 'weir docs', what: words('read how it works') }
  if (!state?.setup) return state?.via === 'remote' ? [docs] : [init, serve, docs]
  return [
    ...(state.more?.channels === 0 ? [add] : []),
    ...(state.via === 'process' ? [serve] : []),
    ...(state.more?.broken ?? []).map(({ id, name }) => ({
      command: `weir channels test ${/^[\w.-]+$/.test(name) ? name : id}`,
      what: fillTemplate(words('see why {name} fails: it was switched off after failures'), { name }),
    })),
    ...pricing(state.more?.unpriced ?? []),
    ...DEFAULT_STEPS,
  ]
}

/** Calls of models without a price are refused, or charged at a guessed price. */
function pricing(unpriced: readonly string[]): Step[] {
  const [first, ...others] = unpriced
  if (first === undefined) return []
  const what =
    others.length > 0
      ? fillTemplate(words('{first} and {more} more have no price'), { first, more: others.length })
      : fillTemplate(words('{first} has no price'), { first })
  return [{ command: 'weir prices missing', what }]
}

const DEFAULT_STEPS: readonly Step[] = [
  { command: 'weir ui', what: words('administer and watch everything on one screen') },
  { command: 'weir logs tail', what: words('watch calls as they come') },
  { command: 'weir usage', what: words('what was used, and what it cost') },
]
