// What `weir init` has come to: who signs in where, how to start, and a call to try.
import type { Channel } from '../core/channels/channel.ts'
import { words } from '../core/errors.ts'
import { fullKey, type Token } from '../core/tokens/token.ts'
import { placeFlags, publicAddress } from './address.ts'
import type { ChannelType } from './channel-form.ts'
import type { CommandEnvironment } from './command.ts'
import type { Connection } from './connect.ts'
import { MODES, type FirstRun, type Mode } from './first-run.ts'
import { asData, concatTexts, colorizeTexts, type Said } from './language.ts'
import { environmentLines, SHELLS, detectShell } from '../core/tokens/shell.ts'
import { flag, object, text, word, type View } from './view.ts'

interface SetUp {
  /** It was set up already: nothing was changed. */
  done_before: boolean
  username?: string
  /** One that was made. */
  password?: string | null
  mode?: Mode
  key?: string
  address: string
  model?: string
  channels: Channel[]
}

export const setUpView: View<SetUp> = {
  already_set_up: flag(words('ALREADY SET UP', '此前已初始化'), 1, ({ done_before }) => done_before),
  username: text(words('ADMINISTRATOR', '管理员'), 1, ({ username }) => username),
  password: text(words('PASSWORD', '密码'), 1, ({ password }) => password),
  mode: word(words('MODE', '模式'), 1, MODES, ({ mode }) => mode),
  token_key: text(words('TOKEN', '令牌'), 1, ({ key }) => key),
  base_url: text(words('API', 'API'), 1, ({ address }) => `${address}/v1`),
  console_url: text(words('CONSOLE', '控制台'), 1, ({ address }) => address),
  model: text(words('MODEL', '模型'), 1, ({ model }) => model),
  channels: object(words('CHANNELS', '渠道'), ({ channels }) => channels.map(({ id, name }) => ({ id, name }))),
}

interface Outcome {
  plan: FirstRun
  generated: boolean
  channels: Channel[]
  token: Token
  running: boolean
  offered: ChannelType[]
}

/** Tells all of it. */
export async function reportSetUp(
  context: CommandEnvironment,
  connection: Connection,
  outcome: Outcome,
): Promise<void> {
  const { print, ask, config, env } = context
  const { plan, generated, channels, token, running, offered } = outcome
  const address = await publicAddress(connection, context)
  const model = channels[0]?.models.split(',')[0]?.trim() || (await connection.client.channels.modelsEnabled())[0]
  const key = fullKey(token.key)
  const { paint } = print
  const serve = ['weir serve', ...placeFlags(config)].join(' ')
  const names = channels.map(({ name }) => name).join(', ')
  const password = paint(plan.password, 'strong')
  const heading = (said: Said) => colorizeTexts(print, said, 'strong')
  const lines = [
    ...(ask.possible ? [asData('')] : []),
    colorizeTexts(print, words('Weir is set up.', 'Weir 已初始化。'), 'good'),
    asData(''),
    words(`  Administrator  ${plan.username}`, `  管理员  ${plan.username}`),
    ...(generated
      ? [words(`  Password       ${password}   (shown only now)`, `  密码    ${password}   （仅显示一次）`)]
      : []),
    words(`  Console        ${address}`, `  控制台  ${address}`),
    words(
      `  Channel        ${names || 'none yet: weir channels add'}`,
      `  渠道    ${names || '暂无：weir channels add'}`,
    ),
    words(`  Token          ${paint(key, 'strong')}`, `  令牌    ${paint(key, 'strong')}`),
    asData(''),
    ...(running ? [] : [heading(words('Start it', '启动')), asData(`\n  ${serve}\n`)]),
    heading(words('Try it', '试一试')),
    asData(''),
    ...curl(address, key, model).map((line) => asData(`  ${line}`)),
    asData(''),
    concatTexts(
      [
        heading(words('For clients of OpenAI, Anthropic and Gemini', '用于 OpenAI、Anthropic 与 Gemini 的客户端')),
        words(
          `(another shell: weir tokens env ${token.id} --shell fish)`,
          `（其他 shell：weir tokens env ${token.id} --shell fish）`,
        ),
      ],
      words(' ', ''),
    ),
    asData(''),
    ...environmentLines(detectShell(env), key, address).map((line) => asData(`  ${line}`)),
  ]
  const { username, mode } = plan
  await print.done(
    { done_before: false, username, password: generated ? plan.password : null, mode, key, address, model, channels },
    setUpView,
    { human: concatTexts(lines), bare: key },
  )
  if (channels.length === 0 && offered.length > 0) {
    const found = concatTexts(
      offered.map(({ id, env }) => (env ? words(`${id} (${env} is set)`, `${id}（已设置 ${env}）`) : asData(id))),
      words(', ', '、'),
    )
    const add = `weir channels add --type ${offered[0]?.id}`
    print.warn(
      words(
        `\nNo channel was made. Offered: ${found.en}. Make one with: ${add}`,
        `\n未建渠道。可用：${found.zh}。创建：${add}`,
      ),
    )
  }
}

const curl = (address: string, key: string, model = 'MODEL') => [
  `curl ${SHELLS.sh.quote(`${address}/v1/chat/completions`)} \\`,
  `  -H "Authorization: Bearer ${key}" \\`,
  '  -H "Content-Type: application/json" \\',
  `  -d ${SHELLS.sh.quote(`{"model": ${JSON.stringify(model)}, "messages": [{"role": "user", "content": "Hello"}]}`)}`,
]
