// `weir context …`: remote gateways that the terminal knows by name.
import { fillTemplate } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { readContexts, writeContexts } from '../connection/contexts.ts'
import { findRequiredContext, listContextRows, savedContextView } from '../nouns/context.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { signOutExitMeaning, forgetSignedOutContext, signedOutView } from '../connection/sign-in.ts'
import { words } from '../texts.ts'

const contextArgument = {
  spec: '<context>',
  help: words('name of the gateway, or local for this machine'),
} as const

export const contextCommand = group({
  name: 'context',
  summary: words('Gateways by name'),
  commands: [
    command({
      name: 'ls',
      aliases: ['list'],
      isDefault: true,
      readOnly: true,
      here: true,
      output: { view: savedContextView, many: true },
      summary: words('List gateways: who is signed in, until when, and which one is in use'),
      run: async ({ env, print }) => print.list(listContextRows(env), savedContextView, { empty: words('None.') }),
    }),
    command({
      name: 'use',
      here: true,
      output: { view: savedContextView, many: false },
      summary: words('Use this gateway from now on'),
      arguments: { context: contextArgument },
      async run({ args, env, print }) {
        const row = findRequiredContext(env, args.context)
        writeContexts(env, { ...readContexts(env), current: row.name })
        const over = ['WEIR_SERVER', 'WEIR_DATA', 'DATABASE_URL', 'DATABASE_URL_FILE', 'WEIR_CONTEXT'].find(
          (variable) => env[variable],
        )
        if (over) print.warn(fillTemplate(words('{over} is set, and goes before it.'), { over }))
        await print.done({ ...row, current: true }, savedContextView, {
          human: fillTemplate(words('Commands go to {server} from now on.'), {
            server: row.server || words('this machine'),
          }),
          quietOutput: row.name,
        })
      },
    }),
    command({
      name: 'rm',
      aliases: ['delete'],
      here: true,
      output: { view: signedOutView, many: false },
      summary: words('Forget a gateway, and revoke its access token as `weir logout` does'),
      failsWhen: signOutExitMeaning,
      arguments: { context: contextArgument },
      options: {
        keep: {
          flag: '--keep',
          help: words('only forget it on this machine: the access token keeps working'),
        },
        yes: { flag: '--yes', help: words('do not ask') },
      },
      async run(surroundings) {
        const { args, ask, options, env } = surroundings
        const sure = requireConfirmation(ask, options.yes)
        const { name: context } = findRequiredContext(env, args.context)
        await sure(
          options.keep
            ? fillTemplate(words('Forget "{context}"?'), { context })
            : fillTemplate(words('Forget "{context}" and revoke its access token?'), { context }),
        )
        await forgetSignedOutContext(surroundings, context, { keep: options.keep })
      },
    }),
  ],
})
