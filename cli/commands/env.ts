// `weir env`: the variables that `weir run` sets for a program, as lines for a shell.
import { getPublicAddress } from '../connection/address.ts'
import { command } from '../command.ts'
import { listModelNames, readTokenKey } from '../connection/token-key.ts'
import type { ClientName, ClientTarget, ClientConfiguration } from '../../core/tokens/clients.ts'
import {
  supportedClientNames,
  needsModelNames,
  buildClientConfig,
  clientVendorNames,
  buildVendorVariables,
} from '../../core/tokens/clients.ts'
import { buildShellLines, supportedShellNames, detectShell, type ShellName } from '../../core/tokens/shell.ts'
import { listServedModels, warnUnknownModel } from '../nouns/names.ts'
import { words } from '../texts.ts'

export const envCommand = command({
  name: 'env',
  readOnly: true,
  summary: words('Print the variables that point the clients of a shell at Weir'),
  details: words('For the current shell: eval "$(weir env)"; for fish: weir env | source'),
  options: {
    client: {
      flag: '--client <name>',
      help: words('only for this vendor or agent (default: all vendors)'),
      choices: supportedClientNames,
    },
    shell: {
      flag: '--shell <name>',
      help: words('which shell (default: the current one)'),
      choices: supportedShellNames,
    },
    token: {
      flag: '--token <token>',
      help: words('id or name of one of your tokens, or a key (default: the newest that works)'),
    },
    model: { flag: '--model <name>', help: words('the model it begins with') },
  },
  async run(context) {
    const { options, print } = context
    const client = options.client as ClientName | undefined
    const connection = await context.connection()
    const key = await readTokenKey(connection.client, options.token)
    const address = await getPublicAddress(connection, context)
    const models = needsModelNames(client) ? await listModelNames(address, key) : []
    if (options.model !== undefined)
      warnUnknownModel(print, options.model, await listServedModels(connection.client).catch(() => []))
    const place: ClientTarget = { key, address, model: options.model, models }
    const pointings: ClientConfiguration[] = client
      ? [buildClientConfig(client, place)]
      : clientVendorNames.map((vendor) => ({ variables: buildVendorVariables(vendor, place) }))
    const shell = (options.shell as ShellName | undefined) ?? detectShell(context.env)
    await print.text(
      pointings.flatMap((each) => buildShellLines(shell, each)).join('\n'),
      Object.assign({}, ...pointings.map(({ variables }) => variables)),
    )
  },
})
