// `weir login`, `weir logout` and `weir context …`: the gateways elsewhere that the terminal knows by name.
import { cleanBaseUrl } from '../../core/contract/base-url.ts'
import { createClient } from '../../core/contract/client.ts'
import { contract } from '../../core/contracts.ts'
import { words } from '../../core/errors.ts'
import { command, group, type Surroundings } from '../command.ts'
import { LOCAL, readContexts, writeContexts, type SavedContext } from '../contexts.ts'
import { UsageError } from '../failure.ts'
import { httpSend } from '../http-send.ts'
import { valueOrInput } from '../input.ts'
import { needSure } from '../sure.ts'
import { flag, text, time, type View } from '../view.ts'

type Row = Omit<SavedContext, 'access_token'> & { name: string; current: boolean }

const view: View<Row> = {
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  server: text(words('SERVER', '服务器'), 1, ({ server }) => server, { flexible: true }),
  username: text(words('USER', '用户'), 2, ({ username }) => username),
  current: flag(words('CURRENT', '当前'), 1, ({ current }) => current, {
    tone: ({ current }) => (current ? 'good' : 'plain'),
  }),
  added: time(words('ADDED', '添加时间'), 3, ({ added }) => added),
}

/** This machine is one of them. */
function rowsOf(env: Surroundings['env']): Row[] {
  const { current = LOCAL, contexts } = readContexts(env)
  const here = { name: LOCAL, server: '', username: '', added: 0, current: current === LOCAL }
  const saved = Object.entries(contexts).map(([name, { server, username, added }]) => ({
    name,
    server,
    username,
    added,
    current: name === current,
  }))
  return [here, ...saved]
}

/** @throws UsageError */
export function noContext(name: string): never {
  throw new UsageError(
    words(`There is no context "${name}": see \`weir context\`.`, `没有名为 "${name}" 的上下文：见 \`weir context\`。`),
  )
}

function needRow(env: Surroundings['env'], name: string): Row {
  return rowsOf(env).find((row) => row.name === name) ?? noContext(name)
}

const NAME = /^[\w.-]{1,60}$/

export const login = command({
  name: 'login',
  here: true,
  gives: { view, many: false },
  summary: words(
    'Keep an access token for a Weir elsewhere, and go there from now on',
    '保存远端 Weir 的访问令牌，此后默认使用它',
  ),
  details: words(
    `The access token is made in the console (Profile, Access tokens) or with \`weir access-tokens add\`; it is asked for, or read
from standard input: weir login https://weir.example.com --token - < file
It is kept in ~/.config/weir/contexts.json (WEIR_CONFIG_DIR), which this user alone may read.
Where a command goes: --server or --data; --context; WEIR_SERVER, WEIR_DATA or DATABASE_URL; WEIR_CONTEXT; the current context;
this machine.`,
    `访问令牌在控制台（个人资料、访问令牌）或用 \`weir access-tokens add\` 创建；会提示输入，或从标准输入读取：
weir login https://weir.example.com --token - < file
令牌保存在 ~/.config/weir/contexts.json（WEIR_CONFIG_DIR），仅当前用户可读。
命令的目标依次为：--server 或 --data；--context；WEIR_SERVER、WEIR_DATA 或 DATABASE_URL；WEIR_CONTEXT；当前上下文；本机。`,
  ),
  arguments: { url: { spec: '<url>', help: words('its address', '地址') } },
  options: {
    token: {
      flag: '--token <token>',
      help: words('the access token; `-` reads it from standard input', '访问令牌；`-` 表示从标准输入读取'),
    },
    name: { flag: '--name <name>', help: words('of the context (otherwise the host)', '上下文名称（默认主机名）') },
  },
  async run({ args, options, ask, env, language, print, readInput }) {
    const address = /^https?:\/\//.test(args.url) ? args.url : `https://${args.url}`
    if (!URL.canParse(address))
      throw new UsageError(
        words(
          `${args.url} is no address like https://weir.example.com`,
          `${args.url} 不是形如 https://weir.example.com 的地址`,
        ),
      )
    const server = cleanBaseUrl(address)
    const name = options.name ?? new URL(server).hostname
    if (!NAME.test(name) || name === LOCAL)
      throw new UsageError(
        words(
          '--name takes letters, digits, dots and dashes, and not "local".',
          '--name 只能用字母、数字、点与短横线，且不能是 "local"。',
        ),
      )
    const given = options.token === undefined ? await asked(ask) : await valueOrInput(options.token, readInput)
    const accessToken = (given ?? '').trim()
    const weir = createClient(contract, httpSend({ server, accessToken, language, label: server }))
    const { username } = await weir.users.self()
    const added = Math.floor(Date.now() / 1000)
    const { contexts } = readContexts(env)
    writeContexts(env, {
      current: name,
      contexts: { ...contexts, [name]: { server, access_token: accessToken, username, added } },
    })
    await print.done({ name, server, username, added, current: true }, view, {
      human: words(
        `Signed in to ${server} as ${username}: commands go there from now on. Back to this machine: weir context use local`,
        `已以 ${username} 登录 ${server}：此后命令默认使用它。回到本机：weir context use local`,
      ),
      bare: name,
    })
  },
})

const asked = async (ask: Surroundings['ask']) => {
  const label = words('Access token', '访问令牌')
  return (await ask.form('', [{ name: 'token', label, kind: 'secret' }], '--token')).token
}

const forget = async ({ env, print }: Surroundings, name: string) => {
  const row = needRow(env, name)
  if (name === LOCAL) throw new UsageError(words('This machine is always there.', '本机始终存在。'))
  const { current, contexts } = readContexts(env)
  const { [name]: _, ...rest } = contexts
  writeContexts(env, { contexts: rest, ...(current && current !== name ? { current } : {}) })
  await print.done({ ...row, current: false }, view, {
    human: words(
      `Forgot "${name}". Its access token still works: delete it there where it is not used elsewhere.`,
      `已移除 "${name}"。其访问令牌仍然有效：若别处不再使用，请在该服务器上删除。`,
    ),
    bare: name,
  })
}

const contextArgument = { spec: '<context>', help: words('its name, or local', '名称，或 local') } as const

export const context = group({
  name: 'context',
  summary: words('The gateways that the terminal knows by name', '终端已知的各网关'),
  commands: [
    command({
      name: 'ls',
      aliases: ['list'],
      isDefault: true,
      looks: true,
      here: true,
      gives: { view, many: true },
      summary: words('List them, and which one commands go to', '列出上下文及当前所用'),
      run: async ({ env, print }) => print.list(rowsOf(env), view, { empty: words('None.', '没有。') }),
    }),
    command({
      name: 'use',
      here: true,
      gives: { view, many: false },
      summary: words('Go to this one from now on; `local` is this machine', '此后使用它；`local` 表示本机'),
      arguments: { context: contextArgument },
      async run({ args, env, print }) {
        const row = needRow(env, args.context)
        writeContexts(env, { ...readContexts(env), current: row.name })
        const over = ['WEIR_SERVER', 'WEIR_DATA', 'DATABASE_URL', 'WEIR_CONTEXT'].find((variable) => env[variable])
        if (over) print.warn(words(`${over} is set, and goes before it.`, `已设置 ${over}，它优先于上下文。`))
        await print.done({ ...row, current: true }, view, {
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
      gives: { view, many: false },
      summary: words('Forget one, with its access token', '移除上下文及其访问令牌'),
      arguments: { context: contextArgument },
      options: { yes: { flag: '--yes', help: words('do not ask', '不询问') } },
      async run(surroundings) {
        const { args, ask, options, env } = surroundings
        const sure = needSure(ask, options.yes)
        needRow(env, args.context)
        await sure(words(`Forget "${args.context}" and its access token?`, `移除 "${args.context}" 及其访问令牌？`))
        await forget(surroundings, args.context)
      },
    }),
  ],
})
