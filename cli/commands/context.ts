// `weir context …`: remote gateways that the terminal knows by name.
import { words } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { readContexts, writeContexts } from '../contexts.ts'
import { contextRows, contextView, noContext, type ContextRow } from '../nouns/context.ts'
import { requireConfirmation } from '../confirm.ts'
import { failsWhen, forget, signedOutView } from '../sign-in.ts'

function needRow(env: CommandEnvironment['env'], name: string): ContextRow {
  return contextRows(env).find((row) => row.name === name) ?? noContext(name)
}

const contextArgument = {
  spec: '<context>',
  help: words('name of the gateway, or local for this machine', '网关名称；local 表示本机'),
} as const

export const context = group({
  name: 'context',
  summary: words('The gateways that the terminal knows by name', '终端已知的各网关'),
  commands: [
    command({
      name: 'ls',
      aliases: ['list'],
      isDefault: true,
      readOnly: true,
      here: true,
      output: { view: contextView, many: true },
      summary: words(
        'List known gateways: who is signed in until when, and which one commands go to',
        '列出上下文、登录用户与到期时间，以及当前所用',
      ),
      run: async ({ env, print }) => print.list(contextRows(env), contextView, { empty: words('None.', '没有。') }),
    }),
    command({
      name: 'use',
      here: true,
      output: { view: contextView, many: false },
      summary: words('Send commands to this gateway from now on', '此后的命令都发往此网关'),
      arguments: { context: contextArgument },
      async run({ args, env, print }) {
        const row = needRow(env, args.context)
        writeContexts(env, { ...readContexts(env), current: row.name })
        const over = ['WEIR_SERVER', 'WEIR_DATA', 'DATABASE_URL', 'DATABASE_URL_FILE', 'WEIR_CONTEXT'].find(
          (variable) => env[variable],
        )
        if (over) print.warn(words(`${over} is set, and goes before it.`, `已设置 ${over}，它优先于上下文。`))
        await print.done({ ...row, current: true }, contextView, {
          human: words(
            `Commands go to ${row.server || 'this machine'} from now on.`,
            `此后命令使用${row.server || '本机'}。`,
          ),
          bare: row.name,
        })
      },
    }),
    command({
      name: 'rm',
      aliases: ['delete'],
      here: true,
      output: { view: signedOutView, many: false },
      summary: words(
        'Forget a gateway, and revoke its access token as `weir logout` does',
        '移除上下文，并与 `weir logout` 一样撤销其访问令牌',
      ),
      failsWhen,
      arguments: { context: contextArgument },
      options: {
        keep: {
          flag: '--keep',
          help: words(
            'only forget it on this machine: the access token keeps working',
            '只从本机移除：访问令牌继续有效',
          ),
        },
        yes: { flag: '--yes', help: words('do not ask', '不询问') },
      },
      async run(surroundings) {
        const { args, ask, options, env } = surroundings
        const sure = requireConfirmation(ask, options.yes)
        needRow(env, args.context)
        await sure(
          options.keep
            ? words(`Forget "${args.context}"?`, `移除 "${args.context}"？`)
            : words(
                `Forget "${args.context}" and revoke its access token?`,
                `移除 "${args.context}" 并撤销其访问令牌？`,
              ),
        )
        await forget(surroundings, args.context, { keep: options.keep })
      },
    }),
  ],
})
