// `weir` alone on a terminal: the state in a line, and the next steps.
import { existsSync } from 'node:fs'
import { words, type Words } from '../../core/errors.ts'
import { placeFlags } from '../address.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { quotaText, type MoneyView } from '../format.ts'
import { asData, inLanguage } from '../language.ts'
import { stateOf, VIA, type State } from './status.ts'

interface Step {
  command: string
  what: Words
}

const SHOWN_STEPS = 3

/** Not listed with the commands, because it runs when none is named. */
export const bare = command({
  name: 'bare',
  summary: words('The state of Weir, and what to do next', 'Weir 的状态与下一步'),
  async run(context) {
    const { print, language } = context
    const state = hasFolder(context) ? await stateOf(await context.connection()) : undefined
    print.say(state?.setup ? stateLine(state, await context.money()) : nothingLine(state, context.version))
    print.say()
    const steps = nextSteps(state, state?.via === 'remote' ? [] : placeFlags(context.config)).slice(0, SHOWN_STEPS)
    const width = Math.max(...steps.map((step) => step.command.length))
    for (const step of steps)
      print.say(asData(`  ${print.paint(step.command.padEnd(width), 'strong')}  ${inLanguage(step.what, language)}`))
    print.say()
    print.say(words('All commands: weir --help', '所有命令：weir --help'))
  },
})

/** True if a server or a database exists. The check creates no folder. */
const hasFolder = ({ server, ...context }: Pick<CommandEnvironment, 'server' | 'config'>) =>
  server !== undefined || context.config.database !== undefined || existsSync(context.config.data)

const nothingLine = (state: State | undefined, version: string) => {
  const at = state?.via === 'remote' ? ` ${state.address}` : ''
  return words(
    `Weir ${state?.version ?? version}${at}: not set up yet.`,
    `Weir ${state?.version ?? version}${at}：尚未初始化。`,
  )
}

/** Formats the state in one line. Values that only administrators may see are left out for others. */
export function stateLine({ version, address, via, more }: State, money: MoneyView): Words {
  const at = address === undefined ? '' : ` ${address}`
  const head = words(`Weir ${version}${at}: ${VIA[via].en}`, `Weir ${version}${at}：${VIA[via].zh}`)
  if (!more) return head
  const { on, channels, broken, rpm, errors } = more
  const charged = quotaText(more.charged, money)
  const parts = [
    words(`${on} of ${channels} channels on`, `${channels} 个渠道中 ${on} 个启用`),
    ...(broken.length > 0 ? [words(`${broken.length} broken`, `${broken.length} 个故障`)] : []),
    ...(via === 'process' ? [] : [words(`${rpm} calls a minute`, `每分钟 ${rpm} 次调用`)]),
    words(`${errors} errors and ${charged} charged in the last hour`, `最近一小时 ${errors} 个错误，扣费 ${charged}`),
  ]
  return words([head, ...parts].map(({ en }) => en).join(', '), [head, ...parts].map(({ zh }) => zh).join('，'))
}

/** Returns the next steps, the most urgent first. `flags` locate this Weir if it is not in the default place. */
export function nextSteps(state: State | undefined, flags: readonly string[]): Step[] {
  const here = (name: string) => ['weir', name, ...flags].join(' ')
  const init: Step = {
    command: here('init'),
    what: words('set it up: administrator, first channel, first token', '初始化：管理员、首个渠道与首个令牌'),
  }
  const serve: Step = { command: here('serve'), what: words('start the gateway', '启动网关') }
  const add: Step = { command: 'weir channels add', what: words('add a channel', '添加渠道') }
  const docs: Step = { command: 'weir docs', what: words('read how it works', '阅读文档') }
  if (!state?.setup) return state?.via === 'remote' ? [docs] : [init, serve, docs]
  return [
    ...(state.more?.channels === 0 ? [add] : []),
    ...(state.via === 'process' ? [serve] : []),
    ...(state.more?.broken ?? []).map(({ id, name }) => ({
      command: `weir channels test ${/^[\w.-]+$/.test(name) ? name : id}`,
      what: words(
        `see why ${name} fails: it was switched off after failures`,
        `查看 ${name} 的故障原因：它因多次失败已被停用`,
      ),
    })),
    ...pricing(state.more?.unpriced ?? []),
    ...DEFAULT_STEPS,
  ]
}

/** Calls of models without a price are refused, or charged at a guessed price. */
function pricing(unpriced: readonly string[]): Step[] {
  const [first, ...others] = unpriced
  if (first === undefined) return []
  const [en, zh] =
    others.length > 0
      ? [`${first} and ${others.length} more have`, `${first} 等 ${unpriced.length} 个模型`]
      : [`${first} has`, first]
  return [{ command: 'weir prices missing', what: words(`${en} no price`, `${zh}没有价格`) }]
}

const DEFAULT_STEPS: readonly Step[] = [
  { command: 'weir ui', what: words('administer and watch everything on one screen', '在全屏界面中管理与查看一切') },
  { command: 'weir logs tail', what: words('watch calls as they come', '实时查看调用') },
  { command: 'weir usage', what: words('what was used, and what it cost', '用量与费用') },
]
